import type { ReactNode } from 'react';
import styles from './eyebrow.module.css';

/** The small line above a heading, or a heading set as one. */
export function Eyebrow({ as: Element = 'p', children }: { as?: 'p' | 'h2'; children: ReactNode }) {
  return <Element className={styles.eyebrow}>{children}</Element>;
}
