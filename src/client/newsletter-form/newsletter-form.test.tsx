import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { beforeEach, expect, test, vi } from 'vitest';
import { NewsletterForm } from './newsletter-form.tsx';

let root: Root;

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  sessionStorage.clear();
  document.body.innerHTML = '<div id="root"></div><div aria-live="polite"></div>';
  const copy = { version: '1', wording: 'I consent', heading: 'Welcome', text: 'Welcome' };
  root = createRoot(document.getElementById('root')!);
  await act(async () =>
    root.render(<NewsletterForm form="Founder" endpoint="/api/newsletter" consent={copy} done={copy} join="Join" />),
  );
  return async () => {
    await act(async () => root.unmount());
    vi.unstubAllGlobals();
  };
});

test('an error is announced and shown at its field, which gets the focus', async () => {
  await submit();
  expect(document.activeElement).toBe(findEmail());
  expect(findEmail().getAttribute('aria-invalid')).toBe('true');
  const description = document.getElementById(findEmail().getAttribute('aria-describedby')!);
  expect(description?.textContent).toBe('Please enter your email address.');
  expect(readAnnounced()).toBe('Email requiredPlease enter your email address.');
});

test('a missing consent is reported at the checkbox', async () => {
  findEmail().value = 'anna@example.test';
  await submit();
  expect(document.activeElement).toBe(findConsent());
  expect(findConsent().getAttribute('aria-describedby')).not.toBeNull();
});

test('sending a corrected form hides the message', async () => {
  await submit();
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  fillIn();
  await submit();
  expect(readAnnounced()).toBe('');
});

test('a second press while a sign-up is being sent sends nothing', async () => {
  const send = vi.fn<typeof fetch>(() => new Promise(() => {}));
  vi.stubGlobal('fetch', send);
  fillIn();
  await submit();
  await submit();
  expect(send).toHaveBeenCalledOnce();
});

test('why a sign-up can’t be sent is shown at the button, which gets the focus', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  fillIn();
  await submit();
  const join = document.querySelector('button[type="submit"]')!;
  await vi.waitFor(() => expect(document.activeElement).toBe(join));
  const description = document.getElementById(join.getAttribute('aria-describedby')!);
  expect(description?.textContent).toBe('Something went wrong. Please try again.');
});

test('a browser without a needed API posts the plain form, once', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const post = vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => {});
  const send = vi.fn<typeof fetch>();
  vi.stubGlobal('fetch', send);
  vi.stubGlobal('AbortSignal', {});
  fillIn();
  await submit();
  await submit();
  expect(post).toHaveBeenCalledOnce();
  expect(send).not.toHaveBeenCalled();
});

test('a form that the server can’t recognise as ours is posted as a plain one', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const post = vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => {});
  vi.stubGlobal('fetch', async () => Response.json({}, { status: 403 }));
  fillIn();
  await submit();
  expect(post).toHaveBeenCalledOnce();
});

async function submit(): Promise<void> {
  const event = new SubmitEvent('submit', { bubbles: true, cancelable: true });
  await act(async () => {
    document.querySelector('form')!.dispatchEvent(event);
    // The form shows its answer first, and does the rest after the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  });
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

function readAnnounced(): string | null {
  return document.querySelector('[aria-live]')!.textContent;
}
