import roundButton from '../components/round-button.module.css';
import styles from '../components/toast-region.module.css';

export type Toast = { tone: 'error' | 'success'; title: string; text: string };

/** Milliseconds, as in toast-region.module.css; the timer stops while the toast has the pointer or the focus. */
const SHOWN_MS = { success: 5000, error: 8000 };

let shown: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** The element that had the focus before the toast. */
let focusedBefore: EventTarget | null = null;

/** Shows a message in place of the previous one; screen readers announce it. */
export function toast({ tone, title, text }: Toast): void {
  hideToast();
  const item = document.createElement('div');
  item.className = `${styles.toast} ${tone === 'error' ? styles.error : ''}`;
  item.append(createParagraph(styles.title, title), createParagraph(styles.text, text), createCloseButton(title));
  const startTimer = () => {
    clearTimeout(timer);
    const isHeld = item.matches(':hover') || item.contains(document.activeElement);
    if (!isHeld) timer = setTimeout(hideToast, SHOWN_MS[tone]);
  };
  item.addEventListener('focusin', ({ relatedTarget }) => {
    if (!item.contains(relatedTarget as Node | null)) focusedBefore = relatedTarget;
  });
  for (const event of ['pointerenter', 'pointerleave', 'focusin', 'focusout']) item.addEventListener(event, startTimer);
  document.querySelector('[aria-live]')?.replaceChildren(item);
  document.addEventListener('focusin', uncoverHeader);
  shown = item;
  startTimer();
}

/** Hides the toast, if one is shown. The focus returns to where it was before. */
export function hideToast(): void {
  clearTimeout(timer);
  if (shown?.contains(document.activeElement) && focusedBefore instanceof HTMLElement) focusedBefore.focus();
  document.removeEventListener('focusin', uncoverHeader);
  shown?.remove();
  shown = undefined;
}

/** On a phone a toast is in front of the header, and must not cover the focused element (WCAG 2.2, 2.4.11). */
function uncoverHeader({ target }: FocusEvent): void {
  const header = (target as Element).closest('header');
  if (header && shown && shown.getBoundingClientRect().top < header.getBoundingClientRect().bottom) hideToast();
}

function createParagraph(className: string, text: string): HTMLElement {
  const element = document.createElement('p');
  element.className = className;
  element.textContent = text;
  return element;
}

function createCloseButton(title: string): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = `${roundButton.button} ${styles.close}`;
  button.setAttribute('aria-label', `Dismiss: ${title}`);
  button.addEventListener('click', hideToast);
  return button;
}
