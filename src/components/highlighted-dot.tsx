import styles from './highlighted-dot.module.css';

type HighlightedDotProps = { className: string | undefined };

/** A lit dot in its ring: somebody who was chosen. `className` gives it its place and width. */
export function HighlightedDot({ className }: HighlightedDotProps) {
  return <i className={`${styles.dot} ${className ?? ''}`} />;
}
