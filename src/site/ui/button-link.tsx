import type { AnchorHTMLAttributes } from 'react';
import { NewTabNote } from './new-tab-note.tsx';
import styles from './button.module.css';

export type ButtonVariant = 'primary' | 'secondary' | 'outline';

/** A link that looks like a button. `newTab` opens it beside the page. */
export function ButtonLink({
  variant,
  newTab = false,
  children,
  ...link
}: AnchorHTMLAttributes<HTMLAnchorElement> & { variant: ButtonVariant; newTab?: boolean }) {
  return (
    <a
      className={`${styles.button} ${styles[variant]}`}
      {...(newTab && { target: '_blank', rel: 'noopener' })}
      {...link}
    >
      {children}
      {newTab && <NewTabNote />}
    </a>
  );
}
