import { OUTER_RINGS, FIELD, HIGHLIGHTED, GRID, INNER_RINGS } from './dot-field-dots.ts';
import { HighlightedDot } from './highlighted-dot.tsx';
import styles from './dot-field.module.css';

type DotFieldProps = { className: string | undefined };

/**
 * All candidates as a field of dots, with the three finalists of a search. The field fills the available width
 * and starts out wider, so its parent clips it.
 */
export function DotField({ className }: DotFieldProps) {
  return (
    <div className={`${styles.field} ${className ?? ''}`} aria-hidden="true">
      <div className={styles.market}>
        <Dots className={styles.crowd} rings={OUTER_RINGS} />
        <Dots className={styles.near} rings={INNER_RINGS} />
      </div>
      <svg className={styles.lines} viewBox={`0 0 ${FIELD.width} ${FIELD.height}`}>
        <path d={`M${HIGHLIGHTED.map(([x, y]) => `${x} ${y}`).join('L')}Z`} />
      </svg>
      {HIGHLIGHTED.map(([x]) => (
        <HighlightedDot key={x} className={styles.finalist} />
      ))}
    </div>
  );
}

type DotsProps = { className: string | undefined; rings: typeof OUTER_RINGS };

function Dots({ className, rings }: DotsProps) {
  return (
    <svg className={className} viewBox={`0 0 ${FIELD.width / GRID} ${FIELD.height / GRID}`}>
      {rings.map(({ path, size, opacity }) => (
        <path key={size} d={path} strokeWidth={size} opacity={opacity} />
      ))}
    </svg>
  );
}
