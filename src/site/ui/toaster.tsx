import * as Toast from '@radix-ui/react-toast';
import { useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import styles from './toaster.module.css';

type ToastMessage = { tone: 'error' | 'success'; title: string; text: string };
type ShownToast = ToastMessage & { id: number };

/** Milliseconds; a pointer or the focus on a toast stops its clock. */
const DURATIONS = { error: 8000, success: 5000 };
const MOST = 3;

let shown: ShownToast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

/**
 * Shows a message at the edge of the screen and says it to a screen reader.
 * The oldest gives way to a fourth, and errors give way to a success.
 */
export function toast(message: ToastMessage): void {
  mountToaster();
  const standing = message.tone === 'success' ? shown.filter(({ tone }) => tone !== 'error') : shown;
  change([...standing, { ...message, id: nextId }].slice(-MOST));
  nextId += 1;
}

let mounted = false;

function mountToaster(): void {
  if (mounted) return;
  mounted = true;
  const container = document.createElement('div');
  document.body.append(container);
  createRoot(container).render(<Toaster />);
}

function Toaster() {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  return (
    <Toast.Provider label="Message" swipeDirection="right">
      {toasts.map(({ id, tone, title, text }) => (
        <Toast.Root
          key={id}
          className={tone === 'error' ? `${styles.toast} ${styles.error}` : styles.toast}
          duration={DURATIONS[tone]}
          onOpenChange={(open) => {
            if (!open) dismiss(id);
          }}
        >
          <Toast.Title className={styles.title}>{title}</Toast.Title>
          <Toast.Description className={styles.text}>{text}</Toast.Description>
          <Toast.Close className={styles.close} aria-label={`Dismiss: ${title}`}>
            <svg viewBox="0 0 24 24" width="20" height="20" stroke="currentColor" strokeWidth="2" aria-hidden="true">
              <path d="m6 6 12 12M18 6 6 18" />
            </svg>
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport className={styles.viewport} label="Messages ({hotkey})" />
    </Toast.Provider>
  );
}

function dismiss(id: number): void {
  change(shown.filter((each) => each.id !== id));
}

function change(toasts: ShownToast[]): void {
  shown = toasts;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
