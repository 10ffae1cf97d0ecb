import styles from './divider.module.css';

const SHAPES = {
  wave: 'M0 42C170 88 430 104 700 62C960 20 1230 -22 1440 30V121H0Z',
  geometric: 'M0 9L360 46L720 0L1080 39L1440 5V121H0Z',
  angle: 'M0 62L1440 0V121H0Z',
};

/**
 * The edge between two sections: `from` is the colour above it, or what lies behind, `to` the colour below.
 * @param flipped mirrors the shape from left to right
 */
export function Divider(divider: {
  shape: keyof typeof SHAPES;
  from: 'paper' | 'mist' | 'see-through';
  to: 'paper' | 'deep' | 'mist';
  flipped?: boolean;
}) {
  const { shape, from, to, flipped = false } = divider;
  return (
    <svg
      className={[
        styles.divider,
        shape === 'wave' && styles.wave,
        from !== 'see-through' && styles[`from-${from}`],
        styles[`to-${to}`],
        flipped && styles.flipped,
      ]
        .filter(Boolean)
        .join(' ')}
      viewBox={shape === 'wave' ? '0 0 1440 120' : '0 0 1440 62'}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={SHAPES[shape]} />
    </svg>
  );
}
