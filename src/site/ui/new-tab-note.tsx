import styles from './new-tab-note.module.css';

/** What a link that opens a new tab says beside its own words. */
export const NEW_TAB = '(opens in a new tab)';

/** The same, for those who hear the link: part of its name. */
export function NewTabNote() {
  return <span className={styles.note}> {NEW_TAB}</span>;
}
