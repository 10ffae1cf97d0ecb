import type { ButtonHTMLAttributes } from 'react';
import type { ButtonVariant } from './button-link.tsx';
import styles from './button.module.css';

/** While `busy`, the button shows a spinner and takes no press; `wide` fills the line. */
export function Button({
  variant,
  busy = false,
  wide = false,
  children,
  ...button
}: ButtonHTMLAttributes<HTMLButtonElement> & { variant: ButtonVariant; busy?: boolean; wide?: boolean }) {
  return (
    <button
      type="button"
      className={`${styles.button} ${styles[variant]} ${wide ? styles.wide : ''}`}
      disabled={busy}
      {...button}
    >
      {busy && <span className={styles.spinner} aria-hidden="true" />}
      {children}
    </button>
  );
}
