import type { Home } from '#content/schemas/content-schema.ts';
import { HighlightedDot } from '#components/highlighted-dot.tsx';
import styles from './testimonials.module.css';

/** Quotes from one to three clients, after the founder's section; nothing if content/ has none. */
export function Testimonials({ testimonials }: { testimonials: Home['testimonials'] }) {
  if (testimonials.length === 0) return null;
  return (
    <ul role="list" className={styles.testimonials}>
      {testimonials.map(({ quote, name, role, company }) => (
        <li key={quote}>
          <figure className={styles.testimonial}>
            <blockquote className={styles.quote}>{quote}</blockquote>
            <figcaption className={styles.person}>
              <HighlightedDot className={styles.ring} />
              <span>
                <span className={styles.name}>{name}</span>
                {`${role}, ${company}`}
              </span>
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  );
}
