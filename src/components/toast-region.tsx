import styles from './toast-region.module.css';

/**
 * Where messages are shown, one at a time. The live region is in the page from the start: Firefox doesn't
 * announce one that is added with its text already inside.
 */
export function ToastRegion() {
  return <div className={styles.region} aria-live="polite" />;
}
