import { useContent } from '#layout/site-context.ts';
import styles from './cookie-table.module.css';

/** Everything that the site, or a tag that a visitor allows, stores in the browser. */
export function CookieTable() {
  const { agency, consent } = useContent();
  const { banner, table, ownStorage } = consent;
  const tagRows = agency.tags.flatMap(({ category, provider, purpose, cookies, storage }) => {
    const source = `${banner.categories[category].name}, ${provider}`;
    const items = [...cookies, ...storage];
    return items.length === 0
      ? [{ name: provider, source: banner.categories[category].name, purpose, duration: table.nothingStored }]
      : items.map(({ name, duration }) => ({ name, source, purpose, duration }));
  });
  const ownRows = ownStorage.map((row) => ({ ...row, source: banner.categories.necessary.name }));
  return (
    <table className={styles.table} aria-labelledby="cookies-heading">
      <thead>
        <tr>
          <th scope="col">{table.name}</th>
          <th scope="col">{table.purpose}</th>
          <th scope="col">{table.duration}</th>
        </tr>
      </thead>
      <tbody>
        {[...ownRows, ...tagRows].map(({ name, source, purpose, duration }) => (
          <tr key={`${source} ${name}`}>
            <th scope="row">
              <BreakableName name={name} />
              <span className={styles.source}>{source}</span>
            </th>
            <td>{purpose}</td>
            <td>{duration}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type BreakableNameProps = { name: string };

/** A name that may wrap after each underscore. */
function BreakableName({ name }: BreakableNameProps) {
  return name.split(/(?<=_)/).flatMap((part) => [part, <wbr key={part} />]);
}
