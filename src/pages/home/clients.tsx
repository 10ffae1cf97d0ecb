import type { Home } from '#content/schemas/content-schema.ts';
import styles from './clients.module.css';

type ClientsProps = Home['clients'];

/** Clients of the agency, in one line below the hero; nothing if content/ names none. */
export function Clients({ heading, names }: ClientsProps) {
  if (names.length === 0) return null;
  return (
    <div className={styles.clients}>
      <p id="clients" className={styles.heading}>
        {heading}
      </p>
      <ul role="list" className={styles.names} aria-labelledby="clients">
        {names.map((name) => (
          <li key={name} className={styles.name}>
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}
