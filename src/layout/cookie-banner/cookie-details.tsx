import { useContent } from '../site-context.ts';
import { CATEGORIES, type Category } from '#client/cookie-banner/consent-rules.ts';
import styles from './cookie-details.module.css';

/** The four categories, each with a switch and an explanation; one explanation is open at a time. */
export function CookieDetails() {
  const { agency, consent } = useContent();
  return (
    <>
      {agency.tags.length === 0 && <p className={styles.note}>{consent.banner.nothingOptional}</p>}
      <ul role="list">
        {CATEGORIES.map((category) => (
          <CategoryItem key={category} category={category} />
        ))}
      </ul>
    </>
  );
}

type CategoryItemProps = { category: Category };

function CategoryItem({ category }: CategoryItemProps) {
  const { consent } = useContent();
  const { name, explanation } = consent.banner.categories[category];
  const isLocked = category === 'necessary';
  return (
    <li className={styles.category}>
      <details name="category">
        <summary className={styles.name}>
          <h3 className={styles.heading}>{name}</h3>
        </summary>
        <div className={styles.explanation}>
          <p id={`${category}-purpose`}>{explanation}</p>
          {!isLocked && <CategoryTags category={category} />}
        </div>
      </details>
      <label className={styles.choice}>
        {isLocked && <span className={styles.locked}>{consent.banner.alwaysOn}</span>}
        <input
          type="checkbox"
          // A checkbox exposes its state by itself, even as a switch.
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props
          role="switch"
          className={styles.switch}
          name={category}
          aria-label={name}
          aria-describedby={`${category}-purpose`}
          defaultChecked={isLocked}
          disabled={isLocked}
        />
      </label>
    </li>
  );
}

type CategoryTagsProps = { category: Category };

function CategoryTags({ category }: CategoryTagsProps) {
  const { agency, consent } = useContent();
  const used = agency.tags.filter((tag) => tag.category === category);
  if (used.length === 0) return <p>{consent.banner.nothingHere}</p>;
  return (
    <dl className={styles.tags}>
      {used.map(({ id, provider, purpose, cookies, storage }) => (
        <div key={id}>
          <dt className={styles.provider}>{provider}</dt>
          <dd>{purpose}</dd>
          {[...cookies, ...storage].map(({ name, duration }) => (
            <dd key={name}>
              <code className={styles.stored}>{name}</code>: {duration}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
