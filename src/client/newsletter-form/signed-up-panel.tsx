import { type CSSProperties, useLayoutEffect, useRef } from 'react';
import { focusInView } from '#components/focus-in-view.ts';
import styles from './signed-up-panel.module.css';

type SignedUpPanelProps = { heading: string; text: string; formHeight: number };

/**
 * Replaces the form and takes the focus from its button. The group gets the focus, not the heading:
 * Orca didn't read the heading in Firefox.
 * @param panel.formHeight in pixels; the panel keeps it, except on a phone without reduced motion
 */
export function SignedUpPanel({ heading, text, formHeight }: SignedUpPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const group = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    slideUp(panel.current!, formHeight - panel.current!.parentElement!.offsetHeight);
    focusInView(group.current!);
  }, [formHeight]);
  return (
    <div ref={panel} className={styles.panel} style={{ '--form': `${formHeight}px` } as CSSProperties}>
      <svg viewBox="0 0 48 48" width="48" height="48" fill="none" aria-hidden="true">
        <circle cx="24" cy="24" r="23" stroke="var(--amber)" strokeWidth="1.75" />
        <circle cx="24" cy="24" r="16" fill="var(--sun)" />
        <path d="m17.5 24.5 4.5 4.5 9-9.5" stroke="var(--on-sun)" strokeWidth="2.5" strokeLinecap="round" />
      </svg>
      <hgroup ref={group} className={styles.words} aria-label={heading} tabIndex={-1}>
        <h3 className={styles.heading}>{heading}</h3>
        <p>{text}</p>
      </hgroup>
    </div>
  );
}

/** Animates the rest of the page to its new position, so that it doesn't jump. */
function slideUp(panel: HTMLElement, pixels: number): void {
  if (pixels <= 0) return;
  for (const part of document.querySelectorAll('main > *, footer')) {
    const isBelow = panel.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (isBelow) part.animate({ translate: [`0 ${pixels}px`, '0'] }, { duration: 300, easing: 'ease-in-out' });
  }
}
