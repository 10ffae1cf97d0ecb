import type { ComponentProps } from 'react';
import styles from './button.module.css';

export type ButtonVariant = 'primary' | 'secondary' | 'outline';

/** While `busy`, the button shows a spinner and takes no press. `wide` fills the line, `compact` saves space. */
export function Button({
  variant,
  busy = false,
  wide = false,
  compact = false,
  children,
  ...button
}: ComponentProps<'button'> & { variant: ButtonVariant; busy?: boolean; wide?: boolean; compact?: boolean }) {
  return (
    <button
      type="button"
      className={`${styles.button} ${styles[variant]} ${wide ? styles.wide : ''} ${compact ? styles.compact : ''}`}
      disabled={busy}
      aria-busy={busy || undefined}
      {...button}
    >
      {children}
    </button>
  );
}
