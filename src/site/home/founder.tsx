import { agency, home } from 'virtual:content';
import { Fragment } from 'react';
import portrait from './portrait.svg';
import styles from './founder.module.css';

export function Founder() {
  const { heading, statement, biography, portraitAlt, stats } = home.founder;
  return (
    <section id="founder" className={styles.founder} aria-labelledby="founder-heading">
      <img className={styles.portrait} src={portrait} width="424" height="508" loading="lazy" alt={portraitAlt} />
      <div>
        <h2 id="founder-heading" className={styles.heading}>
          {heading}
        </h2>
        <p className={styles.statement}>{statement}</p>
        <div className={styles.biography}>
          {biography.map((paragraph) => (
            <p key={paragraph}>{withEmployerLinks(paragraph)}</p>
          ))}
        </div>
        <dl className={styles.stats}>
          {stats.map(({ figure, label }) => (
            <div key={label} className={styles.stat}>
              <dt className={styles.label}>{label}</dt>
              <dd className={styles.figure}>{figure}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}

/** A former employer's name in square brackets becomes a link to its site. */
function withEmployerLinks(paragraph: string) {
  return paragraph.split(/\[(.+?)\]/).map((part, index) => {
    const employer = index % 2 === 1 && agency.founder.formerEmployers.find(({ name }) => name === part);
    return (
      // The parts of one text never move.
      // oxlint-disable-next-line react/no-array-index-key
      <Fragment key={index}>
        {employer ? (
          <a href={employer.url} rel="nofollow noopener" target="_blank">
            {part}
          </a>
        ) : (
          part
        )}
      </Fragment>
    );
  });
}
