/**
 * Tooltips, with the delays of the specification. An element with `data-tooltip` contains a link or a button and,
 * hidden, the tooltip with `role="tooltip"`. This script is loaded when a tooltip is first needed;
 * docs/decisions/islands-and-speed.md explains why it doesn't use a library.
 */

/** The delay under a pointer, in milliseconds; none if another tooltip closed less than the skip delay ago. */
const DELAY_MS = 700;
const SKIP_DELAY_MS = 300;

/** The element under the pointer. After a press or a scroll, its tooltip stays closed until the pointer returns. */
let hovered: Element | undefined;
let opening: ReturnType<typeof setTimeout> | undefined;
let shown: HTMLElement | undefined;
let closedAt = -Infinity;

for (const event of ['click', 'focusout', 'scroll']) {
  document.addEventListener(event, close, { capture: true, passive: true });
}
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') close();
});
document.addEventListener('pointerout', ({ relatedTarget }) => {
  // A tooltip stays open while the pointer is on it (WCAG 2.2, 1.4.13).
  if (hovered === undefined || hovered.contains(relatedTarget as Node | null)) return;
  hovered = undefined;
  close();
});

/**
 * Handles every event on an element with a tooltip, including the one that loaded this script. It looks at
 * the page's current state, because a quick press may be over before this script has loaded.
 */
export function handleTooltipEvent(event: Event): void {
  const holder = (event.target as Element).closest('[data-tooltip]')!;
  if (event.type === 'pointerdown') close();
  // Focus from a press isn't visible, so a press opens nothing.
  if (event.type === 'focusin' && holder.querySelector(':focus-visible')) open(holder);
  if (!isMouseHover(event) || holder === hovered || !holder.matches(':hover')) return;
  hovered = holder;
  opening = setTimeout(open, performance.now() - closedAt < SKIP_DELAY_MS ? 0 : DELAY_MS, holder);
}

/** Excludes touch: a long press on a link opens the browser's own menu. */
function isMouseHover(event: Event): boolean {
  return event.type === 'pointerover' && (event as PointerEvent).pointerType !== 'touch';
}

function open(holder: Element): void {
  close();
  shown = holder.querySelector<HTMLElement>('[role="tooltip"]')!;
  shown.hidden = false;
}

function close(): void {
  clearTimeout(opening);
  if (shown === undefined) return;
  shown.hidden = true;
  shown = undefined;
  closedAt = performance.now();
}
