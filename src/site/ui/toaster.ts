import styles from './corner.module.css';
import roundButton from './round-button.module.css';

export type ToastMessage = {
  tone: 'error' | 'success';
  title: string;
  text: string;
  /** Whether it is announced. Where the focus moves to a field, the field's description says the same. */
  spoken: boolean;
};

/** Milliseconds, as in corner.module.css; a pointer or the focus on the message stops its timer. */
const SHOWN_MS = { success: 5000, error: 8000 };

/**
 * Shows a message in the corner of the window, in the place of the one before. Plain elements, so that the first
 * message of a visit need not wait for React.
 */
export function toast(message: ToastMessage): void {
  region ??= mountRegion();
  restoreFocus();
  region.replaceChildren(createItem(message));
  region.hidden = false;
  shownMs = SHOWN_MS[message.tone];
  if (message.spoken) announce(message);
  startTimer();
  // By then the error of a field that has the focus is in the page.
  requestAnimationFrame(uncoverFocus);
}

let region: HTMLElement | undefined;
let shownMs: number;
let timer: ReturnType<typeof setTimeout> | undefined;

/** The element that had the focus before the message. */
let focusedBefore: EventTarget | null = null;

function mountRegion(): HTMLElement {
  const section = document.createElement('section');
  section.className = styles.toasts!;
  section.tabIndex = -1;
  section.ariaLabel = 'Notifications (F8)';
  section.addEventListener('focusin', ({ relatedTarget }) => {
    if (!section.contains(relatedTarget as Node | null)) focusedBefore = relatedTarget;
  });
  for (const event of ['pointerenter', 'focusin']) section.addEventListener(event, stopTimer);
  for (const event of ['pointerleave', 'focusout']) section.addEventListener(event, startTimer);
  window.addEventListener('blur', stopTimer);
  window.addEventListener('focus', startTimer);
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'F8' && !section.hidden) section.focus();
    if (key === 'Escape') restoreFocus();
  });
  for (const event of ['scroll', 'resize']) window.addEventListener(event, choosePlace, { passive: true });
  findLiveRegion().after(section);
  return section;
}

function restoreFocus(): void {
  if (region!.contains(document.activeElement) && focusedBefore instanceof HTMLElement) focusedBefore.focus();
}

function createItem({ tone, title, text }: ToastMessage): HTMLElement {
  const item = document.createElement('div');
  item.className = `${styles.toast} ${tone === 'success' ? '' : styles.error}`;
  const close = document.createElement('button');
  close.type = 'button';
  close.className = `${roundButton.button} ${styles.close}`;
  close.ariaLabel = `Dismiss: ${title}`;
  close.addEventListener('click', hideToast);
  item.append(createParagraph(styles.title, title), createParagraph(styles.text, text), close);
  return item;
}

function createParagraph(className: string | undefined, text: string): HTMLElement {
  const element = document.createElement('p');
  element.className = className!;
  element.textContent = text;
  return element;
}

function findLiveRegion(): HTMLElement {
  return document.querySelector<HTMLElement>('[aria-live]')!;
}

/** Says a message to screen readers: one paragraph, for as long as the toast shows what it says. */
export function announce({ title, text }: Pick<ToastMessage, 'title' | 'text'>): void {
  const spoken = createParagraph(styles.spoken, `${title} ${text}`);
  findLiveRegion().append(spoken);
  setTimeout(() => spoken.remove(), SHOWN_MS.success);
}

/** A form, and what takes its place. */
const FORM = 'form, [data-island]';

/** Puts the toasts at the top where they would cover a form from their corner. */
function choosePlace(): void {
  if (region!.hidden) return;
  const { dataset } = region!.parentElement!;
  delete dataset.top;
  if ([...document.querySelectorAll(FORM)].some(isCovered)) dataset.top = '';
}

/** Shows what has the focus in a form, with its label and its error, beside the toasts. */
export function uncoverFocus(): void {
  const { activeElement } = document;
  const field = activeElement?.closest(FORM) && activeElement.closest('div');
  // Without a smooth movement: a page that still moves goes on under the toasts.
  field?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  choosePlace();
  if (!field || !isCovered(field)) return;
  const covered = region!.getBoundingClientRect().bottom - field.getBoundingClientRect().top;
  window.scrollBy({ top: -covered - GAP, behavior: 'instant' });
}

/** CSS pixels between a toast and what it must not cover. */
const GAP = 12;

function isCovered(element: Element): boolean {
  const box = element.getBoundingClientRect();
  const toasts = region!.getBoundingClientRect();
  const isBeside = box.right <= toasts.left || box.left >= toasts.right;
  return !isBeside && box.bottom > toasts.top && box.top < toasts.bottom;
}

/** Hides the message that is shown, if any. An announcement goes on: its paragraph is in the live region. */
export function hideToast(): void {
  if (region === undefined) return;
  // The button that hides it has the focus and is removed.
  restoreFocus();
  region.hidden = true;
  region.replaceChildren();
}

/** Starts from the beginning, so a message has its whole time again after somebody has looked at it. */
function startTimer(): void {
  if (region!.matches(':hover, :focus-within')) return;
  delete region!.dataset.held;
  clearTimeout(timer);
  timer = setTimeout(hideToast, shownMs);
}

function stopTimer(): void {
  region!.dataset.held = '';
  clearTimeout(timer);
}
