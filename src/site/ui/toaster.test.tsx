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

test('a success takes the place of errors', () => {
  toast(INVALID);
  toast(TOO_FAST);
  expect(readTitles()).toEqual(['Invalid email', 'Too fast']);
  toast(SUCCESS);
  expect(readTitles()).toEqual(['Success!']);
});

test('up to three messages show, and a repeated one shows once', () => {
  toast(INVALID);
  toast(TOO_FAST);
  toast(INVALID);
  expect(readTitles()).toEqual(['Too fast', 'Invalid email']);
  toast({ ...TOO_FAST, title: 'Too many' });
  toast({ ...TOO_FAST, title: 'Error' });
  expect(readTitles()).toEqual(['Invalid email', 'Too many', 'Error']);
});

test('a success stays for five seconds, an error for eight', () => {
  toast(SUCCESS);
  toast(TOO_FAST);
  vi.advanceTimersByTime(4999);
  expect(readTitles()).toEqual(['Success!', 'Too fast']);
  vi.advanceTimersByTime(1);
  expect(readTitles()).toEqual(['Too fast']);
  vi.advanceTimersByTime(2999);
  expect(readTitles()).toEqual(['Too fast']);
  vi.advanceTimersByTime(1);
  expect(readTitles()).toEqual([]);
});

test('after Dismiss the focus stays with the messages that are left, and then goes back to where it was', () => {
  findField().focus();
  toast(INVALID);
  toast(TOO_FAST);
  press(findDismiss('Too fast'));
  expect(document.activeElement).toBe(findRegion());
  press(findDismiss('Invalid email'));
  expect(document.activeElement).toBe(findField());
});

test.each<[string, () => void, () => void]>([
  ['the pointer is on a message', () => send(findRegion(), 'pointerenter'), () => send(findRegion(), 'pointerleave')],
  ['the focus is on a message', () => findDismiss('Too fast').focus(), () => findField().focus()],
  ['another window is in front', () => send(window, 'blur'), () => send(window, 'focus')],
])('while %s none of them goes, and afterwards each has its whole time', (_, hold, release) => {
  toast(TOO_FAST);
  vi.advanceTimersByTime(7000);
  hold();
  vi.advanceTimersByTime(60_000);
  expect(readTitles()).toEqual(['Too fast']);
  release();
  vi.advanceTimersByTime(7999);
  expect(readTitles()).toEqual(['Too fast']);
  vi.advanceTimersByTime(1);
  expect(readTitles()).toEqual([]);
});

function send(target: EventTarget, event: string): void {
  target.dispatchEvent(new Event(event));
}

function findRegion(): HTMLElement {
  return document.querySelector<HTMLElement>('section')!;
}

function readTitles(): (string | null | undefined)[] {
  return [...findRegion().querySelectorAll('li')].map((item) => item.querySelector('p')?.textContent);
}

function findDismiss(title: string): HTMLElement {
  const buttons = [...findRegion().querySelectorAll('button')];
  return buttons.find((button) => button.parentElement!.textContent.startsWith(title))!;
}

/** As a browser does: the focus moves to a button that is pressed. */
function press(button: HTMLElement): void {
  button.focus();
  button.click();
}

function findField(): HTMLElement {
  return document.querySelector('input')!;
}
