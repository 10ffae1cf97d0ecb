/**
 * The only script that every page loads: it hydrates the parts that a visitor operates, each when it is touched, and
 * asks for consent. Until then, and if a script never arrives, the page works as the HTML that it is.
 */
import { startBanner } from '../cookie-banner/banner.ts';
import { applyLateStyles } from './apply-late-styles.ts';
import { loadParts } from './load-parts.ts';

startBanner();

// The messages of the specification take the place of the browser's own bubbles.
for (const form of document.querySelectorAll<HTMLFormElement>('[data-island] form')) form.noValidate = true;

const year = document.querySelector('[data-year]');
const thisYear = String(new Date().getFullYear());
// A text set anew is laid out anew, even where it stays the same.
if (year && year.textContent !== thisYear) year.textContent = thisYear;

if (document.querySelector('[data-bad-path]')) console.error('404: there is no page at', window.location.pathname);

for (const event of ['pointerover', 'pointerdown', 'focusin']) {
  // What does not come is asked for again at the next touch.
  document.addEventListener(event, (touch) => void attend(touch).catch(() => undefined));
}

async function attend(touch: Event): Promise<void> {
  const target = touch.target as Element;
  const island = target.closest<HTMLElement>('[data-island]');
  if (island) await (await loadTouched()).hydrateOnce(island);
  if (target.closest('[data-tooltip]')) (await loadTouched()).attendTooltip(touch);
}

/** The scripts of a part, and then the styles of what they show, so that the touch is answered first. */
async function loadTouched(): ReturnType<typeof loadParts> {
  const parts = await loadParts();
  // Without its styles a message is still said, and what is wrong stands by the field.
  applyLateStyles().catch(() => undefined);
  return parts;
}

// A submit that comes before its form is hydrated is kept: the button shows so at once, and the message comes first.
document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  const island = form.closest<HTMLElement>('[data-island]:not([data-hydrated])');
  if (island === null) return;
  event.preventDefault();
  const button = event.submitter;
  if (button?.hasAttribute('aria-busy')) return;
  button?.setAttribute('aria-busy', 'true');
  loadTouched()
    .then((parts) => parts.answerKeptSubmit(form, parts.hydrateOnce(island)))
    // Without its scripts the form posts as any form does.
    .catch(() => form.submit())
    .finally(() => button?.removeAttribute('aria-busy'));
});
