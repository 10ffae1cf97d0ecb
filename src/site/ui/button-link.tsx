import type { AnchorHTMLAttributes } from 'react';
import type { ButtonVariant } from './button.tsx';
import { NewTabNote } from './new-tab-note.tsx';
import styles from './button.module.css';

/** A link that looks like a button. `newTab` opens it beside the page; `compact` is for tight places. */
export function ButtonLink({
  variant,
  newTab = false,
  compact = false,
  children,
  ...link
}: AnchorHTMLAttributes<HTMLAnchorElement> & { variant: ButtonVariant; newTab?: boolean; compact?: boolean }) {
  return (
    <a
      className={`${styles.button} ${styles[variant]} ${compact ? styles.compact : ''}`}
      {...(newTab && { target: '_blank', rel: 'noopener' })}
      {...link}
    >
      {/* In one element: the gap of the button is not for the note. */}
      <span>
        {children}
        {newTab && <NewTabNote />}
      </span>
    </a>
  );
}
