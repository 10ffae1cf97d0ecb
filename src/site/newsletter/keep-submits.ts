import type { FAILED_TEXT, JOINING_LABEL } from '#shared/newsletter.ts';
import type { KeptSubmit } from './answer-kept-submit.ts';

// Held by their types: imported as values they would be a file that the loader waits for.
const JOINING: typeof JOINING_LABEL = 'Joining...';
const FAILED: typeof FAILED_TEXT = 'Something went wrong. Please try again.';

/** Milliseconds after which a form does not wait for its scripts any longer. */
const SCRIPTS_TIMEOUT_MS = 7000;

/** Milliseconds within which the site must answer before its page is left for a plain post. */
const SITE_TIMEOUT_MS = 2500;

/** Milliseconds until a live region is known to a screen reader, which then reads what is put into it. */
const LIVE_REGION_DELAY_MS = 100;

type Answer = (island: HTMLElement, submit: KeptSubmit) => Promise<void>;

const kept = new Map<HTMLElement, KeptSubmit>();

/**
 * Keeps every submit that comes before its form is hydrated: the button shows so at once, and the form is not left
 * until its scripts answer, fail, or take too long. Then it is posted as any form is. Where the site does not answer, a
 * message says that the form was not sent, since a post would lose the page with what was typed.
 * @param answer loads the scripts and answers with them; it rejects where they do not come
 */
export function keepSubmits(answer: Answer): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('[data-island] form')) {
    // The messages of the specification take the place of the browser's own bubbles.
    form.noValidate = true;
  }
  if ('mozInnerScreenX' in window) requireByAria();

  document.addEventListener('submit', (event) => {
    const island = (event.target as Element).closest<HTMLElement>('[data-island]');
    if (!island) return;
    // The message of the last press.
    island.nextElementSibling?.remove();
    // A hydrated form has answered by now; an event that is not trusted is how answer-kept-submit.ts asks one.
    if (event.defaultPrevented || !event.isTrusted) return;
    event.preventDefault();
    const state = kept.get(island)?.state;
    if (state !== 'pending' && state !== 'posted') void keepSubmit(island, answer);
  });

  // The browser may bring the page back as it was left.
  addEventListener('pagehide', () => kept.forEach((submit) => submit.close()));
}

/**
 * Firefox tells screen readers that a `required` field is invalid before anybody has typed, and ignores
 * `aria-invalid`: its accessible state follows `:invalid`.
 */
function requireByAria(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>('[data-island] [required]')) {
    field.required = false;
    field.setAttribute('aria-required', 'true');
  }
}

/** Whether a form was posted without its scripts, so that they must not send it as well. */
export function isPosted(island: HTMLElement): boolean {
  return kept.get(island)?.state === 'posted';
}

async function keepSubmit(island: HTMLElement, answer: Answer): Promise<void> {
  const submit = openSubmit(island);
  kept.set(island, submit);
  try {
    await Promise.race([answer(island, submit), failLater()]);
  } catch {
    if (submit.state !== 'pending') return submit.close();
    // Scripts that come while the site is asked must not send it as well.
    submit.state = 'posted';
    if (await isSiteReachable()) return submit.findForm().submit();
    submit.close();
    sayFailure(island);
  }
}

function failLater(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(reject, SCRIPTS_TIMEOUT_MS);
  });
}

/** Asks for the page's own headers, since `navigator.onLine` is true on a network without the internet, too. */
async function isSiteReachable(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(SITE_TIMEOUT_MS);
    return (await fetch('', { method: 'HEAD', cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
}

/** Marks the button as busy, with the words of a sign-up under way where nothing is missing. */
function openSubmit(island: HTMLElement): KeptSubmit {
  // The form, and the island too, may have been replaced by then.
  const findForm = () => document.querySelector<HTMLFormElement>(`#${island.id} form`)!;
  const findButton = () => findForm().querySelector('[type="submit"]')!;
  const mark = (busy: 'true' | null, words: string) =>
    Object.assign(findButton(), { ariaBusy: busy, textContent: words });
  const label = findButton().textContent;
  const fields = new FormData(findForm());
  // Not by the browser's checks alone: in Firefox none of its fields is `required`.
  const isComplete = fields.get('email') && fields.get('consent') && findForm().checkValidity();
  mark('true', isComplete ? JOINING : label);
  return {
    state: 'pending',
    focused: document.activeElement,
    findForm,
    close() {
      this.state = 'closed';
      mark(null, label);
    },
  };
}

function sayFailure(island: HTMLElement): void {
  console.error('The sign-up was not sent.');
  const message = document.createElement('p');
  message.role = 'alert';
  island.after(message);
  setTimeout(() => message.append(FAILED), LIVE_REGION_DELAY_MS);
}
