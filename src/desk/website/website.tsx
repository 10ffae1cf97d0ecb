import type { Hono } from 'hono';
import { capitalise, countInWords } from '#newsletter/format.ts';
import { hashQuestion } from '#content/consent/question-version.ts';
import { findUndrawn } from '#build/share-fonts.ts';
import type { Misfit } from '#content/apply-overlay.ts';
import type { Content } from '#content/schemas/content-schema.ts';
import { listSitePages } from '#pages/index.tsx';
import { listPreviews } from '#publishing/content-previews.ts';
import { listVersions } from '#publishing/content-versions.ts';
import { SCHEMAS } from '#content/parse-content.ts';
import { toFile } from '#content/source-files.ts';
import type { WebsiteDesk } from '../desk-types.ts';
import { Form, Panel, Rows, State } from '../ui.tsx';
import { checkFields, type FieldErrors } from './check-fields.ts';
import { type FieldState, readFields, readParts } from './draft.ts';
import { describeChange } from './list-changes.ts';
import { addNewPage, NewPageForm } from './pages.tsx';
import { addPartPages } from './part-page.tsx';
import { addPreviewFrame, Frame } from './preview.tsx';
import { addPreviewLinks, Previews } from './preview-links.tsx';
import {
  addPublishing,
  describeLastPublish,
  describeLive,
  LastPublish,
  PublishForm,
  Versions,
} from './publish-page.tsx';
import { createOpenSite, findStaticHostContent } from './open-site.ts';
import { findForm, PAGES_GROUP, type SitePart } from './site-parts.ts';
import { Undo } from './undo.tsx';

/** Adds the pages where the owner edits the site's text and look. */
export function addWebsite(app: Hono, desk: WebsiteDesk): void {
  const open = createOpenSite(desk);
  app.get('/desk/website', async (context) => {
    const site = await open(context);
    const parts = readParts(site);
    const fields = readFields(site, parts);
    const changes = fields.filter(({ isChanged }) => isChanged);
    const { errors, content } = checkFields(site, fields);
    const asksAgain = content !== undefined && hashQuestion(content) !== hashQuestion(desk.content);
    const undrawn = content === undefined ? [] : listUndrawn(desk, content);
    const query = context.req.query();
    const isStatic = (await findStaticHostContent(desk)) !== undefined;
    const hasOverlay = isStatic && Object.keys(site.overlay).length > 0;
    return context.render(
      <div className={`editing ${query.screen === 'computer' ? 'computer' : 'phone'}`}>
        <div>
          <LastPublish desk={desk} />
          <Form>
            <Undo at="part" />
          </Form>
          <Misfits parts={parts} misfits={desk.shown.misfits} />
          <Changes parts={parts} changes={changes} errors={errors} {...{ isStatic, hasOverlay, asksAgain, undrawn }} />
          <ChangedInGit parts={parts} fields={fields} />
          {!isStatic && <Previews previews={await listPreviews(desk.store, Date.now())} />}
          <Versions versions={await listVersions(desk.store.db)} />
          <Parts parts={parts} changes={changes} />
        </div>
        <Frame page="/desk/website" shown={{ path: '/' }} query={query} isWrong={errors.size > 0} />
      </div>,
      {
        title: describeLive(desk, {
          changes: changes.length > 0 ? describe(changes.length) : undefined,
          isStatic,
          hasOverlay,
        }),
        lead: await describeLastPublish(desk),
        actions: <a href="/desk/website/launch">Before you launch</a>,
      },
    );
  });
  addNewPage(app, desk, open);
  addPreviewFrame(app, desk, open);
  addPublishing(app, desk, open);
  addPreviewLinks(app, desk, open);
  addPartPages(app, desk, open);
}

function listUndrawn({ content: live }: WebsiteDesk, { brand, ...content }: Content): string[] {
  return findUndrawn(listSitePages({ ...live, ...content }), content.agency.name, brand);
}

function describe(count: number): string {
  return `${capitalise(countInWords(count))} ${count === 1 ? 'change is' : 'changes are'} not live yet`;
}

type ChangesProps = {
  parts: SitePart[];
  changes: FieldState[];
  errors: FieldErrors;
  isStatic: boolean;
  /** Whether published text still has to be saved to files. */
  hasOverlay: boolean;
  /** Whether publishing asks every visitor about cookies again. */
  asksAgain: boolean;
  /** Letters that the pictures in link previews will leave out. */
  undrawn: string[];
};

/** Lists the changes that publishing would make, or the errors that prevent it. */
function Changes({ parts, changes, errors, hasOverlay, ...publishing }: ChangesProps) {
  const mayPublish = errors.size === 0 && changes.every(({ isConflict }) => !isConflict);
  const others = [...errors].filter(([key]) => !changes.some((change) => isWithin(key, change)));
  if (changes.length === 0 && others.length === 0 && !hasOverlay) return null;
  return (
    <section className="changes" aria-label="Changes">
      <ul>
        {changes.map((change) => (
          <Change key={change.key} parts={parts} change={change} errors={errors} />
        ))}
        {others.map(([key, message]) => (
          <LiveError key={key} form={findForm(parts, key)} place={key} message={message} />
        ))}
      </ul>
      {mayPublish && <PublishForm {...publishing} />}
    </section>
  );
}

function isWithin(place: string, { key }: FieldState): boolean {
  return place === key || place.startsWith(`${key}.`);
}

type ChangeProps = { parts: SitePart[]; change: FieldState; errors: FieldErrors };

function Change({ parts, change, errors }: ChangeProps) {
  const form = findForm(parts, change.key)!;
  const description = describeChange(change);
  const error = [...errors].find(([name]) => isWithin(name, change))?.[1];
  return (
    <li>
      <a href={form.url}>{form.label}</a>
      <p>
        {typeof description === 'string' ? (
          capitalise(description)
        ) : (
          <>
            <del>{description.old || 'Nothing'}</del> → <ins>{description.now || 'Nothing'}</ins>
          </>
        )}
      </p>
      {error && <p className="error">{error}</p>}
      {change.changedBy && <p className="quiet">By {change.changedBy}</p>}
      {change.isConflict && (
        <p className="error">
          This has been changed elsewhere in the meantime. Open the form to choose which version to keep.
        </p>
      )}
    </li>
  );
}

type LiveErrorProps = { form: ReturnType<typeof findForm>; place: string; message: string };

/** An error that no change of this draft has caused. */
function LiveError({ form, place, message }: LiveErrorProps) {
  return (
    <li>
      {form ? <a href={form.url}>{form.label}</a> : <b>{place in SCHEMAS ? toFile(place) : place}</b>}
      <p className="error">{message}</p>
    </li>
  );
}

/** Lists the fields in which the owner's text no longer fits, so that visitors see the default text. */
function Misfits({ parts, misfits }: { parts: SitePart[]; misfits: Misfit[] }) {
  if (misfits.length === 0) return null;
  return (
    <div className="notice error">
      Your site’s software has changed, and your text no longer fits in these places. Visitors see the software’s own
      text. Write yours again, or publish without it.
      <ul>
        {misfits.map(({ key, message }) => (
          <LiveError key={key} form={findForm(parts, key)} place={key} message={message} />
        ))}
      </ul>
    </div>
  );
}

/** Lists the fields that the owner changed and whose default text has changed since. */
function ChangedInGit({ parts, fields }: { parts: SitePart[]; fields: FieldState[] }) {
  const changed = fields.filter(({ git }) => git !== undefined);
  if (changed.length === 0) return null;
  return (
    <div className="notice">
      The software’s own text has changed in places where visitors see yours. Check whether yours still fits:
      <ul>
        {changed.map(({ key }) => {
          const form = findForm(parts, key)!;
          return (
            <li key={key}>
              <a href={form.url}>{form.label}</a>
            </li>
          );
        })}
      </ul>
    </div>
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
