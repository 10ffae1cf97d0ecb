import styles from './toaster.module.css';

export type ToastMessage = {
  tone: 'error' | 'success';
  title: string;
  text: string;
  /** Whether a screen reader says it: not where the focus goes to a part that says the same. */
  spoken: boolean;
};

/** Milliseconds; a pointer or the focus on the messages stops their clocks. */
const DURATIONS = { error: 8000, success: 5000 };
const MOST = 3;

/**
 * Shows a message at the edge of the screen. The oldest gives way to a fourth, errors give way to a success, and a
 * message to the same one anew. Plain elements, so that the first message of a visit need not wait for React.
 */
export function toast(message: ToastMessage): void {
  viewport ??= mountViewport();
  for (const [item, standing] of shown) {
    const isSame = standing.title === message.title && standing.text === message.text;
    if (isSame || (message.tone === 'success' && standing.tone === 'error')) remove(item);
  }
  const item = toastItem(message);
  shown.set(item, message);
  viewport.hidden = false;
  viewport.firstElementChild!.append(item);
  while (shown.size > MOST) remove([...shown.keys()][0]!);
  startClocks();
}

let viewport: HTMLElement | undefined;

/** What had the focus when F8 took it to the messages. */
let focusedBefore: Element | null = null;

const shown = new Map<HTMLElement, ToastMessage>();
const clocks = new Map<HTMLElement, ReturnType<typeof setTimeout>>();

function mountViewport(): HTMLElement {
  const region = document.createElement('section');
  region.className = styles.viewport;
  region.tabIndex = -1;
  region.ariaLabel = 'Messages (F8)';
  region.append(document.createElement('ol'));
  for (const event of ['pointerenter', 'focusin']) region.addEventListener(event, stopClocks);
  for (const event of ['pointerleave', 'focusout']) region.addEventListener(event, startClocks);
  window.addEventListener('blur', stopClocks);
  window.addEventListener('focus', startClocks);
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'F8' && shown.size > 0) goToMessages(region);
    if (key === 'Escape' && region.contains(document.activeElement)) goBack();
  });
  document.body.append(region);
  return region;
}

function goToMessages(region: HTMLElement): void {
  if (!region.contains(document.activeElement)) focusedBefore = document.activeElement;
  region.focus();
}

function goBack(): void {
  if (focusedBefore instanceof HTMLElement) focusedBefore.focus();
}

function toastItem({ tone, title, text, spoken }: ToastMessage): HTMLElement {
  const item = document.createElement('li');
  item.className = `${styles.toast} ${tone === 'error' ? styles.error : ''}`;
  const words = document.createElement('div');
  if (spoken) words.role = 'alert';
  words.append(paragraph(styles.title, title), paragraph(styles.text, text));
  const close = document.createElement('button');
  close.type = 'button';
  close.className = styles.close;
  close.ariaLabel = `Dismiss: ${title}`;
  close.addEventListener('click', () => dismiss(item));
  item.append(words, close);
  return item;
}

function paragraph(className: string, text: string): HTMLElement {
  const element = document.createElement('p');
  element.className = className;
  element.textContent = text;
  return element;
}

/** The focus stays among the messages while there are some, and then goes back to where it came from. */
function dismiss(item: HTMLElement): void {
  const hadFocus = item.contains(document.activeElement);
  remove(item);
  if (!hadFocus) return;
  if (shown.size > 0) viewport!.focus();
  else goBack();
}

function remove(item: HTMLElement): void {
  clearTimeout(clocks.get(item));
  clocks.delete(item);
  shown.delete(item);
  item.remove();
  viewport!.hidden = shown.size === 0;
}

/** From the beginning: whoever looked at a message has its whole time once more. */
function startClocks(): void {
  if (viewport!.matches(':hover, :focus-within')) return;
  for (const [item, { tone }] of shown) {
    if (clocks.has(item)) continue;
    clocks.set(
      item,
      setTimeout(() => remove(item), DURATIONS[tone]),
    );
  }
}

function stopClocks(): void {
  for (const clock of clocks.values()) clearTimeout(clock);
  clocks.clear();
}
