import styles from './error-message.module.css';

/** What the visitor sees of a failure: its message, never its stack. */
export function ErrorMessage({ message, as: Title }: { message: string; as: 'h1' | 'p' }) {
  return (
    <div className={styles.message} role="alert">
      <Title className={styles.title}>Unexpected Application Error!</Title>
      <p className={styles.text}>{message}</p>
    </div>
  );
}
