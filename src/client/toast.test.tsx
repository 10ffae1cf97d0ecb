import { beforeEach, expect, test, vi } from 'vitest';
import { hideToast, type Toast, toast } from './toast.ts';

const INVALID: Toast = { tone: 'error', title: 'Invalid email', text: 'Enter another.' };
const TOO_FAST: Toast = { tone: 'error', title: 'Too fast', text: 'Please wait.' };
const SUCCESS: Toast = { tone: 'success', title: 'Success!', text: 'Thanks.' };

beforeEach(() => {
  hideToast();
  vi.useFakeTimers();
  document.body.innerHTML = '<form><div><input></div></form><div aria-live="polite"></div>';
  return () => vi.useRealTimers();
});

test('shows a message in the live region, in place of the previous one', () => {
  toast(INVALID);
  toast(SUCCESS);
  expect(findRegion().textContent).toBe('Success!Thanks.');
});

test.each([
  [SUCCESS, 5000],
  [TOO_FAST, 8000],
])('shows "$title" for its full duration', (message, shownMs) => {
  toast(message);
  vi.advanceTimersByTime(shownMs - 1);
  expect(findRegion().textContent).toContain(message.title);
  vi.advanceTimersByTime(1);
  expect(findRegion().textContent).toBe('');
});

test.each([
  ['it is dismissed', () => findDismiss().click()],
  ['another message replaces it', () => toast(TOO_FAST)],
])('returns the focus from a message to where it was before when %s', (_, end) => {
  findField().focus();
  toast(INVALID);
  findDismiss().focus();
  end();
  expect(document.activeElement).toBe(findField());
});

test('keeps a message while it has the focus, and for its full time afterwards', () => {
  toast(TOO_FAST);
  vi.advanceTimersByTime(7000);
  findDismiss().focus();
  vi.advanceTimersByTime(60_000);
  expect(findRegion().textContent).toContain('Too fast');
  findField().focus();
  vi.advanceTimersByTime(7999);
  expect(findRegion().textContent).toContain('Too fast');
  vi.advanceTimersByTime(1);
  expect(findRegion().textContent).toBe('');
});

function findRegion(): HTMLElement {
  return document.querySelector<HTMLElement>('[aria-live]')!;
}

function findDismiss(): HTMLElement {
  return findRegion().querySelector('button')!;
}

function findField(): HTMLElement {
  return document.querySelector('input')!;
}
