import { FIELD_RINGS, FINALISTS } from './hero-field-dots.ts';
import styles from './hero-field.module.css';

/** The market as a field of dots, and the three who are left at the end of a search. */
export function HeroField() {
  return (
    <div className={styles.field} aria-hidden="true">
      <svg className={styles.art} viewBox={VIEW_BOX}>
        {FIELD_RINGS.map(({ path, size, opacity }) => (
          <path key={size} d={path} strokeWidth={size} opacity={opacity} />
        ))}
        <path className={styles.lines} d={`M${FINALISTS.map(([x, y]) => `${x} ${y}`).join('L')}Z`} />
        {FINALISTS.map(([x, y]) => (
          <circle key={x} className={styles.finalist} cx={x} cy={y} r="7" />
        ))}
      </svg>
      {/* Apart, since only a whole drawing is animated without the page's own thread. */}
      <svg className={styles.rings} viewBox={VIEW_BOX}>
        {FINALISTS.map(([x, y]) => (
          <circle key={x} cx={x} cy={y} r="15" />
        ))}
      </svg>
    </div>
  );
}

const VIEW_BOX = '0 0 480 460';
