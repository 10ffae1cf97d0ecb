/**
 * The only script that every page loads: it hydrates each island on first use, and asks for
 * consent. Until then, and if a script never arrives, the page works as plain HTML.
 */
import { startBanner } from './cookie-banner/banner.ts';
import { holdEarlySubmits } from './newsletter-form/early-submit.ts';
import { loadInteractions } from './load-interactions.ts';

startBanner();

// On a phone, the menu closes when the focus leaves it or a link in it is followed. Its button works without script.
for (const event of ['focusin', 'click']) {
  document.addEventListener(event, ({ target }) => {
    const isKept = (target as Element).closest(event === 'click' ? 'button' : 'header nav');
    if (!isKept) document.getElementById('menu')?.togglePopover?.(false);
  });
}
// Escape in the open list must not close the popover, or browsers would move the focus out of it.
document.addEventListener('keydown', ({ key, target }) => {
  if (key === 'Escape') (target as Element).closest('header nav')?.querySelector('button')!.focus();
});

const year = document.querySelector('[data-year]');
const thisYear = String(new Date().getFullYear());
// Setting text causes a layout even if the text doesn't change.
if (year && year.textContent !== thisYear) year.textContent = thisYear;

if (document.querySelector('[data-bad-path]')) console.error('404:', window.location.pathname);

// Opens all answers for printing.
addEventListener('beforeprint', () => {
  for (const each of document.querySelectorAll<HTMLDetailsElement>('main details:not([open])')) {
    const name = each.getAttribute('name')!;
    // Of several details elements with the same name, only one can be open.
    each.removeAttribute('name');
    each.open = true;
    const close = () => {
      each.open = false;
      each.setAttribute('name', name);
    };
    addEventListener('afterprint', close, { once: true });
  }
});

for (const event of ['pointerover', 'pointerdown', 'focusin', 'keydown']) {
  // If the scripts fail to load, the next interaction retries.
  document.addEventListener(event, (interaction) => void handleInteraction(interaction).catch(() => undefined));
}

holdEarlySubmits(async (island) => (await loadInteractions()).hydrateOnce(island));

async function handleInteraction(event: Event): Promise<void> {
  const target = event.target as Element;
  const island = target.closest<HTMLElement>('[data-island]');
  // Hovering doesn't hydrate, because scrolling also moves forms under the pointer.
  if (island && event.type !== 'pointerover') await (await loadInteractions()).hydrateOnce(island);
  if (target.closest('[data-tooltip]')) (await loadInteractions()).handleTooltipEvent(event);
}
