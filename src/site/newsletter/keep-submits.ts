import type { JOINING_LABEL, NOTICES } from '#shared/newsletter.ts';
import type { KeptSubmit } from './answer-kept-submit.ts';

// Only their types are imported: the values would be in a file that the loader waits for.
const JOINING: typeof JOINING_LABEL = 'Joining...';
const FAILED: typeof NOTICES.failed.text = 'Something went wrong. Please try again.';

/** How long a form waits for its scripts, in milliseconds. */
const SCRIPTS_TIMEOUT_MS = 7000;

/** Milliseconds within which the site must answer before its page is left for a plain post. */
const SITE_TIMEOUT_MS = 2500;

/** Milliseconds until a live region is known to a screen reader, which then reads what is put into it. */
const LIVE_REGION_DELAY_MS = 100;

type Answer = (island: HTMLElement, submit: KeptSubmit) => Promise<void>;

const kept = new Map<HTMLElement, KeptSubmit>();

/**
 * Holds every submit that comes before its form is hydrated, and marks the button as busy until the scripts answer. If
 * they fail or take too long, the browser posts the form without them. If the site does not answer either, a message
 * says that the form was not sent, since a post would lose what was typed.
 * @param answer loads the scripts and lets them answer; rejects where they do not load
 */
export function keepSubmits(answer: Answer): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('[data-island] form')) {
    // The messages of the specification replace the browser's own bubbles.
    form.noValidate = true;
  }
  if ('mozInnerScreenX' in window) requireByAria();

  document.addEventListener('submit', (event) => {
    const island = (event.target as Element).closest<HTMLElement>('[data-island]');
    if (!island) return;
    // Removes the message of an earlier submit.
    island.nextElementSibling?.remove();
    // A hydrated form has prevented the default; an untrusted event comes from answer-kept-submit.ts.
    if (event.defaultPrevented || !event.isTrusted) return;
    event.preventDefault();
    const state = kept.get(island)?.state;
    if (state !== 'pending' && state !== 'posted') void keepSubmit(island, answer);
  });

  // The page may return from the back/forward cache.
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
    // Scripts that load during this request must not send it as well.
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

/** Requests the page's own headers, since `navigator.onLine` is true on a network without the internet, too. */
async function isSiteReachable(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(SITE_TIMEOUT_MS);
    return (await fetch('', { method: 'HEAD', cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
}

/** Marks the button as busy; its label changes only where nothing is missing. */
function openSubmit(island: HTMLElement): KeptSubmit {
  // The form, and the island too, may have been replaced by then.
  const findForm = () => document.querySelector<HTMLFormElement>(`#${island.id} form`)!;
  const findButton = () => findForm().querySelector('[type="submit"]')!;
  const mark = (busy: 'true' | null, words: string) =>
    Object.assign(findButton(), { ariaBusy: busy, textContent: words });
  const label = findButton().textContent;
  const fields = new FormData(findForm());
  // `checkValidity` is not enough: in Firefox `requireByAria` has removed `required`.
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
