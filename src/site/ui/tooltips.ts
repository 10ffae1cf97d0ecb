/**
 * Tooltips, with the delays of the specification. An element with `data-tooltip` holds a link or a button and, hidden,
 * its `role="tooltip"`. Fetched when one is first touched; docs/decisions/consent.md says why no library is.
 */

/** Milliseconds under a pointer; none where another tooltip closed less than the skip delay ago. */
const DELAY_MS = 700;
const SKIP_DELAY_MS = 300;

/**
 * Events are attended a moment after they happened, since this script is fetched for them: by then a quick press is
 * over. So what happens is noted here at once, and only what came before this script is judged by its order.
 */
let isPressed = false;
const noted = new WeakSet<Event>();
/** The focus that a press brings opens nothing. */
const ofPress = new WeakSet<Event>();
let wasPressedBefore = false;
/** The element under the pointer: pressed or scrolled away, its tooltip stays closed until the pointer comes again. */
let hovered: Element | undefined;
let opening: ReturnType<typeof setTimeout> | undefined;
let shown: HTMLElement | undefined;
let closedAt = -Infinity;

for (const event of ['click', 'focusout', 'scroll']) {
  document.addEventListener(event, close, { capture: true, passive: true });
}
document.addEventListener('pointerdown', notePress, { capture: true });
for (const event of ['pointerup', 'pointercancel']) document.addEventListener(event, noteRelease);
document.addEventListener('focusin', noteFocus, { capture: true });
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') close();
});
document.addEventListener('pointerout', ({ relatedTarget }) => {
  // A tooltip stays while the pointer is on it (WCAG 2.2, 1.4.13).
  if (hovered === undefined || hovered.contains(relatedTarget as Node | null)) return;
  hovered = undefined;
  close();
});

/** Takes every event that touches a tooltip's holder, and the one that this script was fetched for. */
export function attendTooltip(event: Event): void {
  const holder = (event.target as Element).closest('[data-tooltip]')!;
  if (event.type === 'pointerdown') {
    wasPressedBefore ||= !noted.has(event);
    close();
  }
  // A focus that has gone on while this script came is past.
  if (event.type === 'focusin' && !isOfPress(event) && holder.contains(document.activeElement)) open(holder);
  if (!isOfMouse(event) || holder === hovered || !holder.matches(':hover')) return;
  hovered = holder;
  opening = setTimeout(open, performance.now() - closedAt < SKIP_DELAY_MS ? 0 : DELAY_MS, holder);
}

function notePress(press: Event): void {
  noted.add(press);
  isPressed = true;
}

function noteRelease(): void {
  isPressed = false;
}

function noteFocus(focus: Event): void {
  noted.add(focus);
  if (isPressed) ofPress.add(focus);
}

function isOfPress(focus: Event): boolean {
  return noted.has(focus) ? ofPress.has(focus) : wasPressedBefore;
}

/** A finger that rests on a link asks for the browser's own menu. */
function isOfMouse(event: Event): boolean {
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
