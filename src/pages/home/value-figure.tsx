import type { Home } from '#content/schemas/content-schema.ts';
import styles from './value-figure.module.css';

/** Which of nine dots are highlighted, and a line that connects or circles them. */
const LIT: Record<Home['intro']['cards'][number]['icon'], { dots: string; line?: string }> = {
  depth: { dots: 'M20 5h0M20 20h0M20 35h0', line: 'M20 5v30' },
  person: { dots: 'M20 20h0', line: 'M20 11a9 9 0 1 1 0 18a9 9 0 1 1 0-18' },
  target: { dots: 'M20 5h0M35 20h0M5 35h0' },
  check: { dots: 'M5 20h0M20 35h0M35 5h0', line: 'M5 20l15 15L35 5' },
};

type ValueFigureProps = { name: keyof typeof LIT };

/** Nine dots, of which some are highlighted to illustrate a value card. */
export function ValueFigure({ name }: ValueFigureProps) {
  const { dots, line } = LIT[name];
  return (
    <svg className={styles.figure} viewBox="0 0 40 40" width="40" height="40" aria-hidden="true">
      <path d="M5 5h0M20 5h0M35 5h0M5 20h0M20 20h0M35 20h0M5 35h0M20 35h0M35 35h0" />
      {line && <path className={styles.line} d={line} />}
      <path className={styles.lit} d={dots} />
    </svg>
  );
}
