import { home } from 'virtual:content';
import { Columns } from '#site/ui/columns.tsx';
import { Section } from '#site/ui/section.tsx';
import { ValueFigure } from './value-figure.tsx';
import styles from './intro.module.css';

export function Intro() {
  const { heading, cards } = home.intro;
  return (
    <Section className={styles.intro}>
      <h2 className={styles.heading}>{heading}</h2>
      <Columns className={styles.cards}>
        {cards.map(({ icon, title, text }) => (
          <li key={title} className={styles.card}>
            <ValueFigure name={icon} />
            <h3 className={styles.title}>{title}</h3>
            <p className={styles.text}>{text}</p>
          </li>
        ))}
      </Columns>
    </Section>
  );
}
