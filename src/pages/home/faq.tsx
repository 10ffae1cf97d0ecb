import { useContent } from '#layout/site-context.ts';
import { Section } from '#components/section.tsx';
import styles from './faq.module.css';

/** At most one answer is open at a time, thanks to `<details name>`, without a script. */
export function Faq() {
  const { faq } = useContent();
  return (
    <Section id="faq" className={styles.faq}>
      <h2 className={styles.heading}>{faq.heading}</h2>
      <div className={styles.items}>
        {faq.items.map(({ question, answer }) => (
          <details key={question} name="faq" className={styles.item}>
            <summary className={styles.question}>
              <h3 className={styles.words}>{question}</h3>
            </summary>
            <p className={styles.answer}>{answer}</p>
          </details>
        ))}
      </div>
    </Section>
  );
}
