import { join } from 'node:path';
import type { Hono } from 'hono';
import { capitalise, countInWords } from '#commands/format.ts';
import type { Desk } from '../desk-types.ts';
import { Part, Rows, State } from '../parts.tsx';
import { checkWords, type WordMistakes } from './check-words.ts';
import { type FieldState, readFields, type Site } from './draft.ts';
import { describeChange } from './list-changes.ts';
import { addPartPages } from './part-page.tsx';
import { listFields, SITE_PARTS } from './site-parts.ts';

/** Adds the pages on which the owner changes the words and the look of her site. */
export function addWebsite(app: Hono, desk: Desk): void {
  const { content } = desk.places;
  app.get('/website', (context) => {
    if (content === undefined) return context.render(<p>{ELSEWHERE}</p>, { title: 'Website' });
    const site = findSite(desk, content);
    const fields = readFields(site);
    const changes = fields.filter(({ isChanged }) => isChanged);
    return context.render(
      <>
        {changes.length > 0 && <Changes changes={changes} mistakes={checkWords(site, fields)} />}
        <div className="halves">
          {[...Map.groupBy(SITE_PARTS, ({ group }) => group)].map(([group, parts]) => (
            <Part key={group} title={group}>
              <Rows
                rows={parts.map((part) => [
                  <a key={part.id} href={`/website/${part.id}`}>
                    {part.title}
                  </a>,
                  isLive(part.id, changes) ? '' : <State dot="waiting">Not live yet</State>,
                ])}
              />
            </Part>
          ))}
        </div>
      </>,
      { title: describe(changes.length) },
    );
  });
  if (content !== undefined) addPartPages(app, desk, findSite(desk, content));
}

const ELSEWHERE =
  'Your words are changed where the project is. On your own computer, type npm run desk in the project’s folder.';

function findSite({ drafts }: Desk, content: string): Site {
  return { content, draftFile: join(drafts, 'website.json') };
}

function describe(count: number): string {
  if (count === 0) return 'Everything you wrote is live';
  return `${capitalise(countInWords(count))} ${count === 1 ? 'change is' : 'changes are'} not live yet`;
}

function isLive(id: string, changes: FieldState[]): boolean {
  return !changes.some(({ key }) => findPart(key).id === id);
}

function findPart(key: string) {
  return SITE_PARTS.find((part) => listFields(part).some((field) => field.key === key))!;
}

function Changes({ changes, mistakes }: { changes: FieldState[]; mistakes: WordMistakes }) {
  return (
    <section className="changes" aria-label="Changes">
      <ul>
        {changes.map((change) => (
          <Change key={change.key} change={change} mistakes={mistakes} />
        ))}
      </ul>
    </section>
  );
}

function Change({ change, mistakes }: { change: FieldState; mistakes: WordMistakes }) {
  const { key, field, isConflict } = change;
  const part = findPart(key);
  const words = describeChange(change);
  const mistake = [...mistakes].find(([name]) => name === key || name.startsWith(`${key}.`))?.[1];
  return (
    <li>
      <a href={`/website/${part.id}#${key}`}>{`${part.title} · ${field.label}`}</a>
      <p>
        {typeof words === 'string' ? (
          capitalise(words)
        ) : (
          <>
            <del>{words.old || 'Nothing'}</del> → <ins>{words.now || 'Nothing'}</ins>
          </>
        )}
      </p>
      {mistake && <p className="error">{mistake}</p>}
      {isConflict && <p className="error">The file has changed as well. Choose there which words to keep.</p>}
    </li>
  );
}
