import { agency, home } from 'virtual:content';
import { ButtonLink } from '#site/ui/button-link.tsx';
import { BriefDiagram, FinalistsDiagram, MarketDiagram } from './process-diagrams.tsx';
import styles from './process.module.css';

const DIAGRAMS = [BriefDiagram, MarketDiagram, FinalistsDiagram];

export function Process() {
  const { heading, steps, book } = home.process;
  return (
    <section id="process" className={styles.process} aria-labelledby="process-heading">
      <h2 id="process-heading">{heading}</h2>
      <ol className={styles.steps}>
        {steps.map(({ title, text }, index) => {
          const Diagram = DIAGRAMS[index]!;
          return (
            <li key={title}>
              <Diagram />
              <p className={styles.number}>{String(index + 1).padStart(2, '0')}</p>
              <h3 className={styles.title}>{title}</h3>
              <p className={styles.text}>{text}</p>
            </li>
          );
        })}
      </ol>
      <ButtonLink variant="secondary" href={agency.calendar} newTab>
        {book}
      </ButtonLink>
    </section>
  );
}
