import styles from './highlighted-dot.module.css';

type HighlightedDotProps = { className: string | undefined };

/** A highlighted dot in a ring: a finalist. `className` sets its position and width. */
export function HighlightedDot({ className }: HighlightedDotProps) {
  return <i className={`${styles.dot} ${className ?? ''}`} />;
}
