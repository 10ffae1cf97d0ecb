import { FIELD_RINGS, FINALISTS } from './hero-field-dots.ts';
import styles from './hero-field.module.css';

/** The market as a field of dots, and the three who are left at the end of a search. */
export function HeroField() {
  return (
    <svg className={styles.field} viewBox="0 0 480 460" aria-hidden="true">
      {FIELD_RINGS.map(({ path, size, opacity }) => (
        <path key={size} d={path} strokeWidth={size} opacity={opacity} />
      ))}
      <path className={styles.lines} d={`M${FINALISTS.map(([x, y]) => `${x} ${y}`).join('L')}Z`} />
      {FINALISTS.map(([x, y]) => (
        <g key={x} className={styles.finalist}>
          <circle cx={x} cy={y} r="7" />
          <circle className={styles.ring} cx={x} cy={y} r="15" />
        </g>
      ))}
    </svg>
  );
}
