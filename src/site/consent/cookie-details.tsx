import { tags } from 'virtual:consent-tags';
import { words } from 'virtual:consent-words';
import { useState } from 'react';
import { CATEGORIES, type Category, type Preferences } from './consent-rules.ts';
import styles from './cookie-details.module.css';

/** The four categories, each with a switch and an explanation; one explanation is open at a time. */
export function CookieDetails({
  selected,
  onSelect,
}: {
  selected: Preferences;
  onSelect: (selected: Preferences) => void;
}) {
  const [explained, setExplained] = useState<Category>();
  return (
    <>
      {tags.length === 0 && <p className={styles.note}>{words.nothingOptional}</p>}
      <ul>
        {CATEGORIES.map((category) => {
          const id = `cookies-${category}`;
          const { name, explanation } = words.categories[category];
          const isExplained = explained === category;
          const isLocked = category === 'necessary';
          return (
            <li key={category} className={styles.category}>
              <div className={styles.row}>
                <h3 className={styles.heading}>
                  <button
                    type="button"
                    className={styles.name}
                    aria-expanded={isExplained}
                    aria-controls={`${id}-explanation`}
                    onClick={() => setExplained(isExplained ? undefined : category)}
                  >
                    <svg className={styles.chevron} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
                      <path d="M2 4l4 4 4-4" fill="none" stroke="currentColor" strokeWidth="2" />
                    </svg>
                    {name}
                  </button>
                </h3>
                <label className={styles.choice}>
                  {isLocked && <span className={styles.locked}>{words.alwaysOn}</span>}
                  <input
                    type="checkbox"
                    // A checkbox says by itself whether it is checked, as a switch too.
                    // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props
                    role="switch"
                    className={styles.switch}
                    aria-label={name}
                    checked={selected[category]}
                    disabled={isLocked}
                    onChange={({ target }) => onSelect({ ...selected, [category]: target.checked })}
                  />
                </label>
              </div>
              <div id={`${id}-explanation`} className={styles.explanation} hidden={!isExplained}>
                <p>{explanation}</p>
                {!isLocked && <TagsOf category={category} />}
              </div>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function TagsOf({ category }: { category: Category }) {
  const used = tags.filter((tag) => tag.category === category);
  if (used.length === 0) return <p>{words.nothingHere}</p>;
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
