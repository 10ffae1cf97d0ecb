import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ToastMessage, toast as Toast } from './toaster.ts';

const INVALID: ToastMessage = { tone: 'error', title: 'Invalid email', text: 'Enter another.', spoken: true };
const TOO_FAST: ToastMessage = { tone: 'error', title: 'Too fast', text: 'Please wait.', spoken: true };
const SUCCESS: ToastMessage = { tone: 'success', title: 'Success!', text: 'Thanks.', spoken: true };

let toast: typeof Toast;

beforeEach(async () => {
  vi.useFakeTimers();
  document.body.innerHTML = '<form><div><input></div></form><div><div aria-live="polite"></div></div>';
  // The toasts are kept in the module: each test has its own.
  vi.resetModules();
  ({ toast } = await import('./toaster.ts'));
});

afterEach(() => vi.useRealTimers());

test('a message takes the place of the one before, and has its own time', () => {
  toast(INVALID);
  vi.advanceTimersByTime(4000);
  toast(SUCCESS);
  expect(readTitle()).toBe('Success!');
  vi.advanceTimersByTime(4999);
  expect(readTitle()).toBe('Success!');
  vi.advanceTimersByTime(1);
  expect(readTitle()).toBeUndefined();
});

test('an error stays for eight seconds', () => {
  toast(TOO_FAST);
  vi.advanceTimersByTime(7999);
  expect(readTitle()).toBe('Too fast');
  vi.advanceTimersByTime(1);
  expect(readTitle()).toBeUndefined();
});

test('after Dismiss the focus goes back to where it was', () => {
  findField().focus();
  toast(INVALID);
  press(findDismiss());
  expect(readTitle()).toBeUndefined();
  expect(document.activeElement).toBe(findField());
});

test('the focus on a message goes back to where it was when another takes its place', () => {
  findField().focus();
  toast(INVALID);
  findDismiss().focus();
  toast(TOO_FAST);
  expect(document.activeElement).toBe(findField());
});

test.each<[string, () => void, () => void]>([
  ['the pointer is on a message', () => send(findRegion(), 'pointerenter'), () => send(findRegion(), 'pointerleave')],
  ['the focus is on a message', () => findDismiss().focus(), () => findField().focus()],
  ['another window is in front', () => send(window, 'blur'), () => send(window, 'focus')],
])('while %s it stays, and afterwards it has its whole time', (_, hold, release) => {
  toast(TOO_FAST);
  vi.advanceTimersByTime(7000);
  hold();
  vi.advanceTimersByTime(60_000);
  expect(readTitle()).toBe('Too fast');
  release();
  vi.advanceTimersByTime(7999);
  expect(readTitle()).toBe('Too fast');
  vi.advanceTimersByTime(1);
  expect(readTitle()).toBeUndefined();
});

function send(target: EventTarget, event: string): void {
  target.dispatchEvent(new Event(event));
}

function findRegion(): HTMLElement {
  return document.querySelector<HTMLElement>('section')!;
}

function readTitle(): string | null | undefined {
  return findRegion().querySelector('p')?.textContent;
}

function findDismiss(): HTMLElement {
  return findRegion().querySelector('button')!;
}

/** As a browser does: the focus moves to a button that is pressed. */
function press(button: HTMLElement): void {
  button.focus();
  button.click();
}

function findField(): HTMLElement {
  return document.querySelector('input')!;
}
