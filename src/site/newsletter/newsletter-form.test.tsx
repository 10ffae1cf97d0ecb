import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, test, vi } from 'vitest';

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  document.body.innerHTML = '<div id="root"></div><div><div aria-live="polite"></div></div>';
  // Messages are kept in a module: each test has its own.
  vi.resetModules();
  const { NewsletterForm } = await import('./newsletter-form.tsx');
  const words = { version: '1', wording: 'I consent', heading: 'Welcome', text: 'Welcome' };
  const root = createRoot(document.getElementById('root')!);
  await act(async () =>
    root.render(<NewsletterForm form="Founder" endpoint="/api/newsletter" consent={words} done={words} join="Join" />),
  );
});

test('a visitor who moves on before the focus comes to the wrong field hears what is wrong, and stays', async () => {
  await submit();
  findConsent().focus();
  await act(async () => vi.advanceTimersByTime(200));
  expect(document.querySelector('[aria-live]')!.textContent).toBe('Email required Please enter your email address.');
  expect(document.activeElement).toBe(findConsent());
});

test('once a mended form is on its way, the message of the mistake is gone, and its announcement stays', async () => {
  findEmail().focus();
  await submit();
  expect(document.querySelector('section')!.textContent).toContain('Email required');
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  fillIn();
  await submit();
  expect(document.querySelector('section')!.textContent).toBe('');
  expect(document.querySelector('[aria-live]')!.textContent).toContain('Email required');
});

test('a second press while a sign-up is on its way sends nothing', async () => {
  const send = vi.fn<typeof fetch>(() => new Promise(() => {}));
  vi.stubGlobal('fetch', send);
  fillIn();
  await submit();
  await submit();
  expect(send).toHaveBeenCalledOnce();
});

/** As a visitor does: the form answers nobody else aloud. */
async function submit(): Promise<void> {
  const event = new SubmitEvent('submit', { bubbles: true, cancelable: true });
  Object.defineProperty(event, 'isTrusted', { value: true });
  await act(async () => document.querySelector('form')!.dispatchEvent(event));
}

function fillIn(): void {
  findEmail().value = 'anna@example.test';
  findConsent().checked = true;
}

function findEmail(): HTMLInputElement {
  return document.querySelector<HTMLInputElement>('[name="email"]')!;
}

function findConsent(): HTMLInputElement {
  return document.querySelector<HTMLInputElement>('[name="consent"]')!;
}
