import type { AnchorHTMLAttributes, ComponentProps } from 'react';
import { NewTabNote } from './new-tab-note.tsx';
import styles from './button.module.css';

type ButtonVariant = 'primary' | 'secondary' | 'outline';

type ButtonProps = ComponentProps<'button'> & { variant: ButtonVariant; busy?: boolean; compact?: boolean };

/**
 * While `busy`, the button shows a spinner and keeps the focus; its form must ignore a second press. `compact`
 * saves space.
 */
export function Button({ variant, busy = false, compact = false, children, ...button }: ButtonProps) {
  return (
    <button
      type="button"
      className={`${styles.button} ${styles[variant]}${compact ? ` ${styles.compact}` : ''}`}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      {...button}
    >
      {children}
    </button>
  );
}

type ButtonLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  variant: ButtonVariant;
  newTab?: boolean;
  compact?: boolean;
};

/** A link that looks like a button. `newTab` opens it in a new tab; `compact` is for tight spaces. */
export function ButtonLink({ variant, newTab = false, compact = false, children, ...link }: ButtonLinkProps) {
  return (
    <a
      className={`${styles.button} ${styles[variant]}${compact ? ` ${styles.compact}` : ''}`}
      {...(newTab && { target: '_blank', rel: 'noopener' })}
      {...link}
    >
      {/* In one element, so that the button's gap doesn't apply to the note. */}
      <span>
        {children}
        {newTab && <NewTabNote />}
      </span>
    </a>
  );
}
