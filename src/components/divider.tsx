import styles from './divider.module.css';

const SHAPES = {
  wave: 'M0 42C170 88 430 104 700 62C960 20 1230 -22 1440 30V121H0Z',
  geometric: 'M0 9L360 46L720 0L1080 39L1440 5V121H0Z',
  angle: 'M0 62L1440 0V121H0Z',
};

type DividerProps = { shape: keyof typeof SHAPES; flipped?: boolean };

/**
 * The edge between two sections. A wave separates the background behind it from paper, the geometric shape paper from
 * green, and an angle paper from mist.
 * @param divider.flipped mirrors an angle, which then separates mist from paper
 */
export function Divider({ shape, flipped = false }: DividerProps) {
  return (
    <svg
      className={`${styles.divider} ${flipped ? styles.flipped : styles[shape]}`}
      viewBox={shape === 'wave' ? '0 0 1440 120' : '0 0 1440 62'}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={SHAPES[shape]} />
    </svg>
  );
}
