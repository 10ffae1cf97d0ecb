import type { Home } from '#content/schemas/content-schema.ts';
import { HighlightedDot } from '#components/highlighted-dot.tsx';
import styles from './shortlist.module.css';

type ShortlistProps = NonNullable<Home['process']['shortlist']>;

/** The client's shortlist at the end of a search: a sheet with three finalists, every answer redacted in dots. */
export function Shortlist({ heading, text, promise, sheet }: ShortlistProps) {
  return (
    <div className={styles.shortlist}>
      <div>
        <h3 className={styles.heading}>{heading}</h3>
        <p className={styles.text}>{text}</p>
        <p className={styles.promise}>{promise}</p>
      </div>
      {/* A drawing: the text next to it says what it shows. */}
      <div className={styles.sheet} aria-hidden="true">
        <p className={styles.title}>{sheet.title}</p>
        <p className={`${styles.row} ${styles.columns}`}>
          <span />
          {sheet.columns.map((column) => (
            <span key={column}>{column}</span>
          ))}
        </p>
        {HIGHLIGHTED.map((finalist) => (
          <p key={finalist} className={styles.row}>
            <span className={styles.name}>
              <HighlightedDot className={styles.ring} />
              <i />
            </span>
            {sheet.columns.map((column, index) => (
              <span key={column} className={styles.answer}>
                <i />
                {index === sheet.columns.length - 1 && <i />}
              </span>
            ))}
          </p>
        ))}
      </div>
    </div>
  );
}

const HIGHLIGHTED = ['first', 'second', 'third'];
