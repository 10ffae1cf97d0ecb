import { pages } from '#content/site-content.ts';
import styles from './skip-link.module.css';

export function SkipLink() {
  return (
    <a className={styles.link} href="#main">
      {pages.labels.skip}
    </a>
  );
}
