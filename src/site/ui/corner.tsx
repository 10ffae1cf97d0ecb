import styles from './corner.module.css';

/**
 * The corner of the window in which messages show. Its live region is there from the start, since Firefox does not
 * announce a region that comes with its text inside.
 */
export function Corner() {
  return (
    <div className={styles.corner}>
      <div className={styles.live} aria-live="polite" />
    </div>
  );
}
