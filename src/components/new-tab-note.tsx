import styles from './new-tab-note.module.css';

/** Added to the name of a link that opens in a new tab. */
export const NEW_TAB = '(opens in a new tab)';

/** The same text, for screen readers only. */
export function NewTabNote() {
  return <span className={styles.note}>{` ${NEW_TAB}`}</span>;
}
