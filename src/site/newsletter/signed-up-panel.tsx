import { useEffect, useRef } from 'react';
import { uncoverFocus } from '#site/ui/toaster.ts';
import styles from './signed-up-panel.module.css';

/** Takes the form's place and the focus, since the button that had it is gone. */
export function SignedUpPanel({ heading, text }: { heading: string; text: string }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    title.current?.focus();
    uncoverFocus();
  }, []);
  return (
    <div className={styles.panel}>
      <svg viewBox="0 0 48 48" width="48" height="48" fill="none" aria-hidden="true">
        <circle cx="24" cy="24" r="23" stroke="var(--amber)" strokeWidth="1.75" />
        <circle cx="24" cy="24" r="16" fill="var(--sun)" />
        <path d="m17.5 24.5 4.5 4.5 9-9.5" stroke="var(--on-sun)" strokeWidth="2.5" strokeLinecap="round" />
      </svg>
      <hgroup className={styles.words}>
        <h3 ref={title} className={styles.heading} tabIndex={-1}>
          {heading}
        </h3>
        <p>{text}</p>
      </hgroup>
    </div>
  );
}
