import type { Agency } from '#content/schemas/agency-schema.ts';
import { useContent } from '#layout/site-context.ts';
import { Eyebrow } from '#components/eyebrow.tsx';
import { NewTabNote } from '#components/new-tab-note.tsx';
import { Section } from '#components/section.tsx';
import { Testimonials } from './testimonials.tsx';
import styles from './founder.module.css';

/** The portrait's width in the styles: 424 px, or on a phone the page's width without its margins. */
const PORTRAIT_SIZES = '(min-width: 472px) 424px, calc(100vw - 48px)';

export function Founder() {
  const { agency, brand, home, portrait } = useContent();
  const { heading, statement, biography, portraitAlt, stats } = home.founder;
  const isPhotograph = portrait.sources.length > 0;
  return (
    <Section id="founder" className={styles.founder}>
      {/* The drawing that stands in for a photograph already has the page's two tones. */}
      <picture className={`${styles.portrait} ${isPhotograph && brand.portrait === 'two-tone' ? styles.twoTone : ''}`}>
        {portrait.sources.map((source) => (
          <source key={source.type} {...source} sizes={PORTRAIT_SIZES} />
        ))}
        <img src={portrait.src} width={portrait.width} height={portrait.height} loading="lazy" alt={portraitAlt} />
      </picture>
      <div className={styles.story}>
        <Eyebrow as="h2">{heading}</Eyebrow>
        <p className={styles.statement}>{statement}</p>
        <div className={styles.biography}>
          {biography.map((paragraph) => (
            <p key={paragraph}>{linkEmployers(paragraph, agency)}</p>
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
      <Testimonials testimonials={home.testimonials} />
    </Section>
  );
}

/** Turns a former employer's name in square brackets into a link to its site; leaves other brackets alone. */
function linkEmployers(paragraph: string, agency: Agency) {
  return paragraph.split(/(\[[^[\]]+\])/).map((part) => {
    const employer = agency.founder.formerEmployers.find(({ name }) => part === `[${name}]`);
    if (!employer) return part;
    return (
      <a key={part} href={employer.url} rel="nofollow noopener" target="_blank">
        {employer.name}
        <NewTabNote />
      </a>
    );
  });
}
