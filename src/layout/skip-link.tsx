import { useContent } from './site-context.ts';
import styles from './skip-link.module.css';

export function SkipLink() {
  return (
    <a className={styles.link} href="#main">
      {useContent().pages.labels.skip}
    </a>
  );
}
