import styles from './finalist.module.css';

/** A lit dot in its ring: somebody who was chosen. `className` gives it its place and width. */
export function Finalist({ className }: { className: string | undefined }) {
  return <i className={`${styles.finalist} ${className ?? ''}`} />;
}
