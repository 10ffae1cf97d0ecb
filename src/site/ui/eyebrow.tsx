import type { ReactNode } from 'react';
import styles from './eyebrow.module.css';

/**
 * The small line above a heading, or a heading set as one.
 * @param eyebrow.ground `deep` where it is on the hero's green
 */
export function Eyebrow(eyebrow: { as?: 'p' | 'h2'; ground?: 'paper' | 'deep'; children: ReactNode }) {
  const { as: Element = 'p', ground = 'paper', children } = eyebrow;
  return <Element className={`${styles.eyebrow} ${ground === 'deep' ? styles.onDeep : ''}`}>{children}</Element>;
}
