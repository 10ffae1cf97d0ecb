import type { Home } from '#content/schemas/content-schema.ts';
import styles from './placements.module.css';

type PlacementsProps = Home['placements'];

/** Successful searches, without names; nothing if content/ has none. */
export function Placements({ heading, items }: PlacementsProps) {
  if (items.length === 0) return null;
  return (
    <div className={styles.placements}>
      <h3 className={styles.heading}>{heading}</h3>
      <ul role="list" className={styles.items}>
        {items.map(({ role, market, stage, city, days }) => (
          <li key={`${role} ${market} ${city}`} className={styles.item}>
            <p className={styles.role}>{role}</p>
            <p className={styles.days}>{days}</p>
            <p className={styles.facts}>{[market, stage, city].join(' · ')}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
