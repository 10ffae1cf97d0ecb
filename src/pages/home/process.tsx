import { useContent } from '#layout/site-context.ts';
import { ButtonLink } from '#components/button.tsx';
import { Columns } from '#components/columns.tsx';
import { Section } from '#components/section.tsx';
import { Placements } from './placements.tsx';
import { ProcessDiagram } from './process-diagrams.tsx';
import { Shortlist } from './shortlist.tsx';
import styles from './process.module.css';

export function Process() {
  const { agency, home } = useContent();
  const { process: copy, placements } = home;
  const { heading, promise, steps, book, shortlist } = copy;
  return (
    <Section id="process" className={styles.process}>
      <div>
        <h2>{heading}</h2>
        {promise && <p className={styles.promise}>{promise}</p>}
      </div>
      <Columns ordered className={styles.steps}>
        {steps.map(({ title, text }, index) => (
          <li key={title}>
            <ProcessDiagram step={index} steps={steps.length} />
            <p className={styles.number}>{String(index + 1).padStart(2, '0')}</p>
            <h3 className={styles.title}>{title}</h3>
            <p className={styles.text}>{text}</p>
          </li>
        ))}
      </Columns>
      <ButtonLink variant="secondary" href={agency.calendar} newTab>
        {book}
      </ButtonLink>
      {shortlist && <Shortlist {...shortlist} />}
      <Placements {...placements} />
    </Section>
  );
}
