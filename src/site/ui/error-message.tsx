import styles from './error-message.module.css';

/** The specification's words, wherever something fails. */
export const ERROR_HEADING = 'Unexpected Application Error!';

/** What the visitor sees of a failure: its message, never its stack. */
export function ErrorMessage({ message }: { message: string }) {
  return (
    <div className={styles.message} role="alert">
      <p className={styles.title}>{ERROR_HEADING}</p>
      <p className={styles.text}>{message}</p>
    </div>
  );
}
