import { useEffect, useRef } from 'react';
import { focusInView } from '#components/focus-in-view.ts';
import styles from './signed-up-panel.module.css';

type SignedUpPanelProps = { heading: string; text: string };

/**
 * Takes the form's place and the focus, since the button that had it is gone. The group has it, not the heading:
 * Orca was there already as the button went, and did not read it in Firefox.
 */
export function SignedUpPanel({ heading, text }: SignedUpPanelProps) {
  const words = useRef<HTMLElement>(null);
  useEffect(() => focusInView(words.current!), []);
  return (
    <div className={styles.panel}>
      <svg viewBox="0 0 48 48" width="48" height="48" fill="none" aria-hidden="true">
        <circle cx="24" cy="24" r="23" stroke="var(--amber)" strokeWidth="1.75" />
        <circle cx="24" cy="24" r="16" fill="var(--sun)" />
        <path d="m17.5 24.5 4.5 4.5 9-9.5" stroke="var(--on-sun)" strokeWidth="2.5" strokeLinecap="round" />
      </svg>
      <hgroup ref={words} className={styles.words} aria-label={heading} tabIndex={-1}>
        <h3 className={styles.heading}>{heading}</h3>
        <p>{text}</p>
      </hgroup>
    </div>
  );
}
