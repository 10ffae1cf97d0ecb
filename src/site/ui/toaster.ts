import styles from './corner.module.css';
import roundButton from './round-button.module.css';

export type ToastMessage = {
  tone: 'error' | 'success';
  title: string;
  text: string;
  /** Whether it is announced: not where the focus moves to a part of the page whose description says the same. */
  spoken: boolean;
};

/** Milliseconds, as in corner.module.css; a pointer or the focus on the toasts stops their timers. */
const SUCCESS_MS = 5000;
const ERROR_MS = 8000;
const MAX_SHOWN = 3;

/**
 * Shows a message in the corner of the window. A fourth replaces the oldest, a success replaces errors, and a message
 * replaces the same one. Plain elements, so that the first message of a visit need not wait for React.
 */
export function toast(message: ToastMessage): void {
  viewport ??= mountViewport();
  for (const [item, existing] of shown) {
    const isSame = existing.title === message.title && existing.text === message.text;
    if (isSame || (message.tone === 'success' && existing.tone === 'error')) remove(item);
  }
  const item = createItem(message);
  shown.set(item, message);
  viewport.hidden = false;
  viewport.firstElementChild!.append(item);
  while (shown.size > MAX_SHOWN) remove([...shown.keys()][0]!);
  if (message.spoken) announce(message);
  startTimers();
  // By then the error of a field that has the focus is in the page.
  requestAnimationFrame(uncoverFocus);
}

let viewport: HTMLElement | undefined;

/** The element that had the focus before the toasts. */
let focusedBefore: EventTarget | null = null;

const shown = new Map<HTMLElement, ToastMessage>();
const timers = new Map<HTMLElement, ReturnType<typeof setTimeout>>();

function mountViewport(): HTMLElement {
  const region = document.createElement('section');
  region.className = styles.toasts!;
  region.tabIndex = -1;
  region.ariaLabel = 'Notifications (F8)';
  region.append(document.createElement('ol'));
  region.addEventListener('focusin', ({ relatedTarget }) => {
    if (!region.contains(relatedTarget as Node | null)) focusedBefore = relatedTarget;
  });
  for (const event of ['pointerenter', 'focusin']) region.addEventListener(event, stopTimers);
  for (const event of ['pointerleave', 'focusout']) region.addEventListener(event, startTimers);
  window.addEventListener('blur', stopTimers);
  window.addEventListener('focus', startTimers);
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'F8' && shown.size > 0) region.focus();
    if (key === 'Escape' && region.contains(document.activeElement)) restoreFocus();
  });
  for (const event of ['scroll', 'resize']) window.addEventListener(event, choosePlace, { passive: true });
  liveRegion().after(region);
  return region;
}

function restoreFocus(): void {
  if (focusedBefore instanceof HTMLElement) focusedBefore.focus();
}

function createItem({ tone, title, text }: ToastMessage): HTMLElement {
  const item = document.createElement('li');
  item.className = `${styles.toast} ${tone === 'success' ? '' : styles.error}`;
  const close = document.createElement('button');
  close.type = 'button';
  close.className = `${roundButton.button} ${styles.close}`;
  close.ariaLabel = `Dismiss: ${title}`;
  close.addEventListener('click', () => dismiss(item));
  item.append(createParagraph(styles.title, title), createParagraph(styles.text, text), close);
  return item;
}

function createParagraph(className: string | undefined, text: string): HTMLElement {
  const element = document.createElement('p');
  element.className = className!;
  element.textContent = text;
  return element;
}

function liveRegion(): HTMLElement {
  return document.querySelector<HTMLElement>('[aria-live]')!;
}

/** Says a message to screen readers: one paragraph, for as long as the toast shows what it says. */
export function announce({ title, text }: Pick<ToastMessage, 'title' | 'text'>): void {
  const spoken = createParagraph(styles.spoken, `${title} ${text}`);
  liveRegion().append(spoken);
  setTimeout(() => spoken.remove(), SUCCESS_MS);
}

/** A form, and what takes its place. */
const FORM = 'form, [data-island]';

/** At the top where in their corner the toasts would lie over a form. */
function choosePlace(): void {
  if (viewport!.hidden) return;
  const { dataset } = viewport!.parentElement!;
  delete dataset.top;
  if ([...document.querySelectorAll(FORM)].some(isCovered)) dataset.top = '';
}

/** Shows what has the focus in a form, with its label and its error, beside the toasts. */
export function uncoverFocus(): void {
  const { activeElement } = document;
  const field = activeElement?.closest(FORM) && activeElement.closest('div');
  // At once: a page that is still on its way moves on under the toasts.
  field?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  choosePlace();
  if (!field || !isCovered(field)) return;
  const covered = viewport!.getBoundingClientRect().bottom - field.getBoundingClientRect().top;
  window.scrollBy({ top: -covered - GAP, behavior: 'instant' });
}

/** CSS pixels between a toast and what it must not cover. */
const GAP = 12;

function isCovered(element: Element): boolean {
  const box = element.getBoundingClientRect();
  const toasts = viewport!.getBoundingClientRect();
  const isBeside = box.right <= toasts.left || box.left >= toasts.right;
  return !isBeside && box.bottom > toasts.top && box.top < toasts.bottom;
}

/** The focus stays among the messages while there are some, and then goes back to where it came from. */
function dismiss(item: HTMLElement): void {
  // Before the item goes, and the focus with it.
  if (item.contains(document.activeElement)) {
    if (shown.size > 1) viewport!.focus();
    else restoreFocus();
  }
  remove(item);
}

function remove(item: HTMLElement): void {
  clearTimeout(timers.get(item));
  timers.delete(item);
  shown.delete(item);
  item.remove();
  viewport!.hidden = shown.size === 0;
}

/** From the beginning: a message that was looked at has its whole time once more. */
function startTimers(): void {
  if (viewport!.matches(':hover, :focus-within')) return;
  delete viewport!.dataset.held;
  for (const [item, { tone }] of shown) {
    if (timers.has(item)) continue;
    timers.set(
      item,
      setTimeout(() => remove(item), tone === 'success' ? SUCCESS_MS : ERROR_MS),
    );
  }
}

function stopTimers(): void {
  viewport!.dataset.held = '';
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
}
