import { join } from 'node:path';
import type { Hono } from 'hono';
import { capitalise, countInWords } from '#newsletter/format.ts';
import { readBuiltSite, toPagePath } from '#build/built-site.ts';
import { findPublicFolder } from '#server/make-site.ts';
import type { WebsiteDesk } from '../desk-types.ts';
import { Panel, Rows, State } from '../ui.tsx';
import { checkWords, type WordMistakes } from './check-words.ts';
import { type FieldState, readFields, readParts } from './draft.ts';
import { describeChange } from './list-changes.ts';
import { addNewPage, NewPageForm } from './pages.tsx';
import { addPartPages } from './part-page.tsx';
import { addPreview, Frame } from './preview.tsx';
import {
  addPublishing,
  describeLastPublish,
  describeLive,
  LastPublish,
  PublishForm,
  Versions,
} from './publish-page.tsx';
import { isOnStaticHost } from './wait-until-live.ts';
import { findForm, PAGES_GROUP, type SitePart } from './site-parts.ts';

/** Adds the pages on which the owner changes the words and the look of her site. */
export function addWebsite(app: Hono, desk: WebsiteDesk): void {
  const { content } = desk.places;
  if (content === undefined) {
    app.get('/desk/website', (context) => context.render(<p>{ELSEWHERE}</p>, { title: 'Website' }));
    return;
  }
  const links = () => ({
    pages: readBuiltSite(desk.shown.folder).documents.map(toPagePath),
    publicFolder: findPublicFolder(desk.places.build, desk.places.project),
  });
  const site = { content, draftFile: join(desk.drafts, 'website.json'), links };
  app.get('/desk/website', async (context) => {
    const parts = readParts(site);
    const fields = readFields(site, parts);
    const changes = fields.filter(({ isChanged }) => isChanged);
    const { mistakes } = checkWords(site, fields);
    const query = context.req.query();
    const isStatic = await isOnStaticHost(desk);
    return context.render(
      <div className={`editing ${query.screen === 'computer' ? 'computer' : 'phone'}`}>
        <div>
          <LastPublish desk={desk} />
          <Changes parts={parts} changes={changes} mistakes={mistakes} isStatic={isStatic} />
          <Versions desk={desk} />
          <Parts parts={parts} changes={changes} />
        </div>
        <Frame page="/desk/website" shown={{ path: '/' }} query={query} isWrong={mistakes.size > 0} />
      </div>,
      {
        title: describeLive(desk, changes.length > 0 ? describe(changes.length) : undefined),
        lead: describeLastPublish(desk),
        actions: <a href="/desk/website/launch">What stops a launch</a>,
      },
    );
  });
  addNewPage(app, desk, site);
  addPreview(app, desk, site);
  addPublishing(app, desk, site);
  addPartPages(app, desk, site);
}

const ELSEWHERE =
  'Your words are changed where the project is. On your own computer, type npm run desk in the project’s folder.';

function describe(count: number): string {
  return `${capitalise(countInWords(count))} ${count === 1 ? 'change is' : 'changes are'} not live yet`;
}

type ChangesProps = { parts: SitePart[]; changes: FieldState[]; mistakes: WordMistakes; isStatic: boolean };

/** What publishing would change, or what keeps it from that. */
function Changes({ parts, changes, mistakes, isStatic }: ChangesProps) {
  const mayPublish = mistakes.size === 0 && changes.every(({ isConflict }) => !isConflict);
  const others = [...mistakes].filter(([key]) => !changes.some((change) => isAt(key, change)));
  if (changes.length === 0 && others.length === 0) return null;
  return (
    <section className="changes" aria-label="Changes">
      <ul>
        {changes.map((change) => (
          <Change key={change.key} parts={parts} change={change} mistakes={mistakes} />
        ))}
        {others.map(([key, message]) => (
          <Mistake key={key} form={findForm(parts, key)} place={key} message={message} />
        ))}
      </ul>
      {mayPublish && <PublishForm isStatic={isStatic} />}
    </section>
  );
}

function isAt(place: string, { key }: FieldState): boolean {
  return place === key || place.startsWith(`${key}.`);
}

type ChangeProps = { parts: SitePart[]; change: FieldState; mistakes: WordMistakes };

function Change({ parts, change, mistakes }: ChangeProps) {
  const form = findForm(parts, change.key)!;
  const words = describeChange(change);
  const mistake = [...mistakes].find(([name]) => isAt(name, change))?.[1];
  return (
    <li>
      <a href={form.url}>{form.label}</a>
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
      {change.isConflict && <p className="error">The file has changed as well. Choose there which words to keep.</p>}
    </li>
  );
}

type MistakeProps = { form: ReturnType<typeof findForm>; place: string; message: string };

/** A mistake that she didn't make in this draft: it was in the files. */
function Mistake({ form, place, message }: MistakeProps) {
  return (
    <li>
      {form ? <a href={form.url}>{form.label}</a> : <b>{place}</b>}
      <p className="error">{message}</p>
    </li>
  );
}

function Parts({ parts, changes }: { parts: SitePart[]; changes: FieldState[] }) {
  const isChanged = ({ fields }: SitePart) => fields.some(({ key }) => changes.some((change) => change.key === key));
  return (
    <div className="halves">
      {[...Map.groupBy(parts, ({ group }) => group)].map(([group, inGroup]) => (
        <Panel key={group} title={group}>
          <Rows
            rows={inGroup.map((part) => [
              <a key={part.id} href={`/desk/website/${part.id}`}>
                {part.title}
              </a>,
              isChanged(part) ? <State dot="waiting">Not live yet</State> : '',
            ])}
          />
          {group === PAGES_GROUP && <NewPageForm />}
        </Panel>
      ))}
    </div>
  );
}
