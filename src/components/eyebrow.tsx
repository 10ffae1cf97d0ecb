import type { ReactNode } from 'react';
import styles from './eyebrow.module.css';

type EyebrowProps = { as?: 'p' | 'h2'; children: ReactNode };

/** The small line above a heading, or a heading set as one. */
export function Eyebrow({ as: Element = 'p', children }: EyebrowProps) {
  return <Element className={styles.eyebrow}>{children}</Element>;
}
