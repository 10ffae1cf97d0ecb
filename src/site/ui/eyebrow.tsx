import type { ReactNode } from 'react';
import styles from './eyebrow.module.css';

/**
 * The small line above a heading, or a heading set as one.
 * @param eyebrow.ground `deep` where it is on the hero's green
 */
export function Eyebrow(eyebrow: { as?: 'p' | 'h2'; id?: string; ground?: 'paper' | 'deep'; children: ReactNode }) {
  const { as: Element = 'p', id, ground = 'paper', children } = eyebrow;
  return (
    <Element id={id} className={`${styles.eyebrow} ${ground === 'deep' ? styles.onDeep : ''}`}>
      {children}
    </Element>
  );
}
