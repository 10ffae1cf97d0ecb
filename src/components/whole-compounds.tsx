import type { ReactNode } from 'react';
import styles from './whole-compounds.module.css';

/** Keeps hyphenated compounds ("go-to-market") from breaking at their hyphens. */
export function keepCompounds(text: string): ReactNode[] {
  let end = 0;
  return text.split(COMPOUND).map((part, index) => {
    end += part.length;
    if (index % 2 === 0) return part;
    return (
      <span key={end} className={styles.whole}>
        {part}
      </span>
    );
  });
}

/** Longer compounds wouldn't fit a narrow screen with large text. */
const COMPOUND = /(?<![\p{L}-])(\p{L}{1,10}(?:-\p{L}{1,10}){1,2})(?![\p{L}-])/u;
