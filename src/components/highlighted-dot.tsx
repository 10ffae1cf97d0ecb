import styles from './highlighted-dot.module.css';

/** A lit dot in its ring: somebody who was chosen. `className` gives it its place and width. */
export function HighlightedDot({ className }: { className: string | undefined }) {
  return <i className={`${styles.dot} ${className ?? ''}`} />;
}
