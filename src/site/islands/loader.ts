/**
 * The only script that every page loads: it hydrates the parts that a visitor operates, each when it is touched, and
 * asks for consent. Until then, and if a script never arrives, the page works as the HTML that it is.
 */
import { startBanner } from '../cookie-banner/banner.ts';
import { isPosted, keepSubmits } from '../newsletter/keep-submits.ts';
import { applyLateStyles } from './apply-late-styles.ts';
import { loadParts } from './load-parts.ts';

startBanner();

// The phone's menu closes when the focus leaves it, and when one of its links is followed: its button closes it itself.
for (const event of ['focusin', 'click']) {
  document.addEventListener(event, ({ target }) => {
    const isKept = (target as Element).closest(event === 'click' ? 'button' : 'header nav');
    if (!isKept) document.getElementById('menu')?.togglePopover?.(false);
  });
}
// The list that Escape closes is outside the popover, so that no browser moves the focus out of it.
document.addEventListener('keydown', ({ key, target }) => {
  if (key === 'Escape') (target as Element).closest('header nav')?.querySelector('button')!.focus();
});

const year = document.querySelector('[data-year]');
const thisYear = String(new Date().getFullYear());
// A text that is set is laid out again, even where it stays the same.
if (year && year.textContent !== thisYear) year.textContent = thisYear;

if (document.querySelector('[data-bad-path]')) console.error('404:', window.location.pathname);

for (const event of ['pointerover', 'pointerdown', 'focusin', 'keydown']) {
  // Scripts that do not come are fetched again at the next touch.
  document.addEventListener(event, (touch) => void handleTouch(touch).catch(() => undefined));
}

async function handleTouch(touch: Event): Promise<void> {
  const target = touch.target as Element;
  const island = target.closest<HTMLElement>('[data-island]');
  // Hovering does not hydrate: scrolling moves forms under the pointer too.
  if (island && touch.type !== 'pointerover') await (await loadTouched()).hydrateOnce(island, isPosted);
  if (target.closest('[data-tooltip]')) (await loadTouched()).handleTooltipEvent(touch);
}

/** The scripts of a part, and then the styles of what they show, so that the touch is answered first. */
async function loadTouched(): ReturnType<typeof loadParts> {
  const parts = await loadParts();
  // Without its styles a message is still said, and the error is beside the field.
  applyLateStyles().catch(() => undefined);
  return parts;
}

keepSubmits(async (island, submit) => {
  const parts = await loadTouched();
  await parts.answerKeptSubmit(submit, () => parts.hydrateOnce(island, isPosted));
});
