import type { ComponentProps } from 'react';
import styles from './button.module.css';

export type ButtonVariant = 'primary' | 'secondary' | 'outline';

/**
 * While `busy`, the button shows a spinner and keeps the focus: its form must send nothing at a second press. `compact`
 * saves space.
 */
export function Button({
  variant,
  busy = false,
  compact = false,
  children,
  ...button
}: ComponentProps<'button'> & { variant: ButtonVariant; busy?: boolean; compact?: boolean }) {
  return (
    <button
      type="button"
      className={`${styles.button} ${styles[variant]} ${compact ? styles.compact : ''}`}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      {...button}
    >
      {children}
    </button>
  );
}
