import styles from './alert.module.css';

type AlertProps = { title: string; text: string; href?: string };

/** An error at the top of a page; `href` links to the field. */
export function Alert({ title, text, href }: AlertProps) {
  return (
    <div className={styles.alert} role="alert">
      <p className={styles.title}>{title}</p>
      <p>{href ? <a href={href}>{text}</a> : text}</p>
    </div>
  );
}
