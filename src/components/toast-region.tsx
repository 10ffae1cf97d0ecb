import styles from './toast-region.module.css';

/**
 * Where messages show, one at a time. The live region is in the page from the start, since Firefox does not announce one
 * that comes with its text inside.
 */
export function ToastRegion() {
  return <div className={styles.region} aria-live="polite" />;
}
