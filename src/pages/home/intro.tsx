import { useContent } from '#layout/site-context.ts';
import { Columns } from '#components/columns.tsx';
import { Section } from '#components/section.tsx';
import { Clients } from './clients.tsx';
import { ValueFigure } from './value-figure.tsx';
import styles from './intro.module.css';

export function Intro() {
  const { home } = useContent();
  const { intro, clients } = home;
  return (
    <Section id="intro" className={styles.intro}>
      <Clients {...clients} />
      <h2 className={styles.heading}>{intro.heading}</h2>
      <Columns className={styles.cards}>
        {intro.cards.map(({ icon, title, text }) => (
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
