import { beforeEach, expect, test, vi } from 'vitest';
import type { answerKeptSubmit as AnswerKeptSubmit, KeptSubmit } from './answer-kept-submit.ts';

let answerKeptSubmit: typeof AnswerKeptSubmit;

/** The hydrated form. */
const submitted = vi.fn<(event: Event) => void>((event) => event.preventDefault());

beforeEach(async () => {
  sessionStorage.clear();
  document.body.innerHTML = `
    <form><div><input name="email"><input type="checkbox" name="consent"></div></form>
    <div><div aria-live="polite"></div></div>`;
  submitted.mockClear();
  findForm().addEventListener('submit', submitted);
  // Messages are kept in a module: each test has its own.
  vi.resetModules();
  ({ answerKeptSubmit } = await import('./answer-kept-submit.ts'));
});

test('what is wrong from the start is said once, before the form is hydrated', async () => {
  await answerKeptSubmit(keepSubmit(), async () => {
    expect(readSaid()).toEqual(['Email required Please enter your email address.']);
  });
  expect(readSaid()).toEqual(['Email required Please enter your email address.']);
  expect(document.activeElement).toBe(findEmail());
  expect(submitted).toHaveBeenCalledOnce();
});

test('what became wrong before the form was hydrated is said as well', async () => {
  fillIn('somebody@example.org', true);
  await answerKeptSubmit(keepSubmit(), async () => fillIn('somebody', true));
  expect(readSaid()).toEqual(['Invalid email Please enter a valid email address.']);
  expect(document.activeElement).toBe(findEmail());
  expect(submitted).toHaveBeenCalledOnce();
});

test.each([
  ['is still mending', 'someb', false],
  ['has mended', 'somebody@example.org', true],
])('a visitor who %s the first mistake hears of no other, and nothing is sent by itself', async (_, email, consent) => {
  await answerKeptSubmit(keepSubmit(), async () => fillIn(email, consent));
  expect(readSaid()).toEqual(['Email required Please enter your email address.']);
  expect(submitted).not.toHaveBeenCalled();
});

test('a visitor who has gone on to another field stays there', async () => {
  const submit = keepSubmit();
  const consent = document.querySelector<HTMLElement>('[name="consent"]')!;
  consent.focus();
  await answerKeptSubmit(submit, async () => {});
  expect(readSaid()).toEqual(['Email required Please enter your email address.']);
  expect(document.activeElement).toBe(consent);
});

test('once a mended form is on its way, the message of the mistake is gone', async () => {
  await answerKeptSubmit(keepSubmit(), async () => {});
  expect(readToast()).toContain('Email required');
  fillIn('somebody@example.org', true);
  await answerKeptSubmit(keepSubmit(), async () => expect(readToast()).toBe(''));
});

function keepSubmit(): KeptSubmit {
  return {
    state: 'pending',
    focused: document.activeElement,
    findForm,
    close() {
      this.state = 'closed';
    },
  };
}

function fillIn(email: string, consent: boolean): void {
  findEmail().value = email;
  document.querySelector<HTMLInputElement>('[name="consent"]')!.checked = consent;
}

function findForm(): HTMLFormElement {
  return document.querySelector('form')!;
}

function findEmail(): HTMLInputElement {
  return document.querySelector<HTMLInputElement>('[name="email"]')!;
}

function readToast(): string | null {
  return document.querySelector('section')!.textContent;
}

function readSaid(): (string | null)[] {
  return [...document.querySelector('[aria-live]')!.children].map(({ textContent }) => textContent);
}
