import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { SignUpForm } from '#shared/sign-up-rules.ts';
import { optionalFields } from '#shared/sign-up-fields.ts';
import { NewsletterForm } from './newsletter-form.tsx';

let root: Root;

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  sessionStorage.clear();
  document.body.innerHTML = '<div id="root"></div><div aria-live="polite"></div>';
  root = createRoot(document.getElementById('root')!);
  await show('Founder');
  return async () => {
    await act(async () => root.unmount());
    vi.unstubAllGlobals();
  };
});

test('announces an error, shows it at its field, and focuses the field', async () => {
  await submit();
  expect(document.activeElement).toBe(findEmail());
  expect(findEmail().getAttribute('aria-invalid')).toBe('true');
  const description = document.getElementById(findEmail().getAttribute('aria-describedby')!);
  expect(description?.textContent).toBe('Please enter your email address.');
  expect(readAnnounced()).toBe('Email requiredPlease enter your email address.');
});

test('shows an error at its field although an extension has removed the region for messages', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const post = vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => {});
  document.querySelector('[aria-live]')!.remove();
  await submit();
  expect(post).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(findEmail());
  expect(findEmail().getAttribute('aria-invalid')).toBe('true');
});

test('reports missing consent at the checkbox', async () => {
  findEmail().value = 'anna@example.test';
  await submit();
  expect(document.activeElement).toBe(findConsent());
  expect(findConsent().getAttribute('aria-describedby')).not.toBeNull();
});

test('hides the message when a corrected form is sent', async () => {
  await submit();
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  fillIn();
  await submit();
  expect(readAnnounced()).toBe('');
});

test('sends nothing on a second press while a sign-up is being sent', async () => {
  const send = vi.fn<typeof fetch>(() => new Promise(() => {}));
  vi.stubGlobal('fetch', send);
  fillIn();
  await submit();
  await submit();
  expect(send).toHaveBeenCalledOnce();
});

test('shows at the button why a sign-up can’t be sent, and focuses the button', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  fillIn();
  await submit();
  const join = document.querySelector('button[type="submit"]')!;
  await vi.waitFor(() => expect(document.activeElement).toBe(join));
  const description = document.getElementById(join.getAttribute('aria-describedby')!);
  expect(description?.textContent).toBe('Something went wrong. Please try again.');
  expect(document.querySelector('form a[href="mailto:a@b.test"]')?.textContent).toBe('a@b.test');
});

test.each([
  [429, '[type="submit"]', 'Many sign-ups have just come from your network. Please wait a minute and try again.', {}],
  [400, '[name="email"]', 'Not this one.', { field: 'email', title: 'Invalid email', detail: 'Not this one.' }],
])('shows why the server rejects a sign-up with %i at %s', async (status, place, text, problem) => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.stubGlobal('fetch', async () => Response.json(problem, { status }));
  fillIn();
  await submit();
  const control = document.querySelector(place)!;
  await vi.waitFor(() => expect(document.activeElement).toBe(control));
  expect(document.getElementById(control.getAttribute('aria-describedby')!)?.textContent).toBe(text);
  expect(readAnnounced()).toContain(text);
  expect(findEmail().value).toBe('anna@example.test');
});

test('sends nothing from another form during the pause after a sign-up', async () => {
  const send = vi.fn<typeof fetch>(async () => Response.json({ ok: true }));
  vi.stubGlobal('fetch', send);
  fillIn();
  await submit();
  await vi.waitFor(() => expect(document.querySelector('form')).toBeNull());
  await show('Footer');
  fillIn();
  await submit();
  expect(readAnnounced()).toBe('Too fastPlease wait a moment before submitting again.');
  expect(send).toHaveBeenCalledOnce();
});

test('asks about a mistyped domain below the field, and corrects it with one press', async () => {
  findEmail().value = 'anna@gmial.com';
  await leaveEmail();
  const suggestion = document.querySelector<HTMLButtonElement>('output button')!;
  expect(suggestion.textContent).toBe('Did you mean anna@gmail.com?');
  await act(async () => suggestion.click());
  expect(findEmail().value).toBe('anna@gmail.com');
  expect(document.activeElement).toBe(findEmail());
  expect(document.querySelector('output')!.textContent).toBe('');
});

test('accepts a sign-up with a domain that looks mistyped', async () => {
  const send = vi.fn<typeof fetch>(async () => Response.json({ ok: true }));
  vi.stubGlobal('fetch', send);
  fillIn();
  findEmail().value = 'anna@gmial.com';
  await leaveEmail();
  await submit();
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce());
});

test('tells password managers to leave the decoy alone', () => {
  const decoy = document.querySelector<HTMLInputElement>('[name="website"]')!;
  const marks = ['data-1p-ignore', 'data-lpignore', 'data-bwignore', 'data-form-type'];
  expect(marks.map((name) => decoy.getAttribute(name))).toEqual(['true', 'true', 'true', 'other']);
});

test('silently drops what a bot filled in', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const send = vi.fn<typeof fetch>();
  vi.stubGlobal('fetch', send);
  fillIn();
  document.querySelector<HTMLInputElement>('[name="website"]')!.value = 'https://spam.example';
  await submit();
  expect(log).toHaveBeenCalledOnce();
  expect(readAnnounced()).toBe('');
  expect(send).not.toHaveBeenCalled();
});

test('sends another host the fields and the consent version, and doesn’t read its response', async () => {
  const send = vi.fn<typeof fetch>(async () => new Response(null, { status: 500 }));
  vi.stubGlobal('fetch', send);
  await show('Founder', 'https://news.example/api/newsletter');
  fillIn();
  await submit();
  await vi.waitFor(() => expect(document.querySelector('form')).toBeNull());
  const [url, { mode, body } = {}] = send.mock.lastCall!;
  expect([url, mode]).toEqual(['https://news.example/api/newsletter', 'no-cors']);
  const fields = { ...optionalFields(() => ''), email: 'anna@example.test', name: '', source: 'Founder', consent: '1' };
  expect(JSON.parse(body as string)).toEqual(fields);
});

test('posts the plain form once in a browser that lacks an API', async () => {
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

test('sends a sign-up without waiting for a frame, even if the tab is closed', async () => {
  vi.stubGlobal('requestAnimationFrame', () => 0);
  const send = vi.fn<typeof fetch>(() => new Promise(() => {}));
  vi.stubGlobal('fetch', send);
  fillIn();
  await act(async () => document.querySelector('form')!.requestSubmit());
  expect(send).toHaveBeenCalledOnce();
  expect(send.mock.lastCall![1]).toMatchObject({ keepalive: true });
});

test('posts the plain form once if the request is blocked', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const post = vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => {});
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  fillIn();
  await submit();
  expect(post).toHaveBeenCalledOnce();
  // The visitor has left the page, and come back.
  await act(async () => window.dispatchEvent(new Event('pagehide')));
  await submit();
  await vi.waitFor(() => expect(readAnnounced()).toContain('Something went wrong. Please try again.'));
  expect(post).toHaveBeenCalledOnce();
});

test.each([
  ['the server can’t recognise the form as ours', () => Response.json({}, { status: 403 })],
  ['an extension answers with an empty file', () => new Response()],
  ['a network answers with its own page', () => new Response('<p>Sign in to our Wi-Fi</p>')],
  ['a filter answers that this is forbidden by law', () => new Response('Blocked', { status: 451 })],
  ['a filter answers that there is nothing', () => new Response('Not found', { status: 404 })],
])('posts the plain form if %s', async (_, answer) => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const post = vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => {});
  vi.stubGlobal('fetch', async () => answer());
  fillIn();
  await submit();
  await vi.waitFor(() => expect(post).toHaveBeenCalledOnce());
  expect(readAnnounced()).toBe('');
});

test('says that the sign-up failed if the plain form is blocked too', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => {});
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  fillIn();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await act(async () => document.querySelector('form')!.requestSubmit());
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  // waitFor also advances the fake timers.
  await vi.waitFor(() => expect(document.querySelector('[type="submit"]')!.textContent).toBe('Join'));
  expect(readAnnounced()).toContain('Something went wrong. Please try again.');
});

/** Renders a form in place of the previous one. */
async function show(form: SignUpForm, endpoint = '/api/newsletter'): Promise<void> {
  const copy = { version: '1', wording: 'I consent', heading: 'Welcome', text: 'Welcome' };
  const shown = (
    <NewsletterForm
      key={form}
      form={form}
      endpoint={endpoint}
      consent={copy}
      done={copy}
      email="a@b.test"
      join="Join"
    />
  );
  await act(async () => root.render(shown));
}

async function submit(): Promise<void> {
  const event = new SubmitEvent('submit', { bubbles: true, cancelable: true });
  await act(async () => {
    document.querySelector('form')!.dispatchEvent(event);
    // The form shows its message first, and does the rest after the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  });
}

async function leaveEmail(): Promise<void> {
  await act(async () => findEmail().dispatchEvent(new FocusEvent('focusout', { bubbles: true })));
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
