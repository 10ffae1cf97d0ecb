import type { ReactNode } from 'react';
import styles from './section.module.css';

/**
 * A part of a page in the column that all of them share.
 * @param section.as `div` within a part with a ground that fills the screen
 */
export function Section(section: { as?: 'section' | 'div'; id?: string; className?: string; children: ReactNode }) {
  const { as: Element = 'section', id, className = '', children } = section;
  return (
    <Element id={id} className={`${styles.section} ${className}`}>
      {children}
    </Element>
  );
}
