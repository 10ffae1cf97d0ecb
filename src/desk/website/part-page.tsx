import type { Hono } from 'hono';
import { isStoreUnreachable } from '#newsletter/database/explain-store-failure.ts';
import { formatClock } from '#newsletter/format.ts';
import { toMark } from '#content/pictures/picture-files.ts';
import type { Content } from '#content/schemas/content-schema.ts';
import { makeBrandColours } from '#content/brand/brand-colours.ts';
import { type FormDesk, handleActions } from '../handle-forms.ts';
import { explainToOwner } from '../explain-to-owner.ts';
import { Button, ButtonLink, Form } from '../ui.tsx';
import { type CheckResult, checkFields, FIELD_IS_EMPTY, type FieldErrors } from './check-fields.ts';
import { type FieldState, readFields, hashValues, type Site } from './draft.ts';
import { Controls } from './fields.tsx';
import type { OpenSite } from './open-site.ts';
import { PictureForms } from './picture-forms.tsx';
import { PageNote } from './pages.tsx';
import { Frame, readDraftPicture } from './preview.tsx';
import { type FormStrings } from './form-values.ts';
import { type SourceName, toFile } from '#content/source-files.ts';
import { hasLongText } from './describe-form.ts';
import { createPartActions, findPart, keepForm } from './part-actions.ts';
import { type SitePart } from './site-parts.ts';
import { Undo } from './undo.tsx';

/** Adds the page of each part, where the owner edits its fields. Everything that is typed is saved as a draft. */
export function addPartPages(app: Hono, desk: FormDesk, open: OpenSite): void {
  app.get(PATH, async (context) => {
    const site = await open(context);
    const part = findPart(site, context.req.param('id'));
    if (part === undefined) return context.notFound();
    const all = readFields(site);
    const checked = checkFields(site, all);
    const errors = excuseNew(checked.errors, context.req.query('new'));
    const query = context.req.query();
    const markNote = part.id === 'pictures' ? await findMarkNote(site, all, checked.content) : undefined;
    return context.render(
      <div className={`editing ${query.screen === 'computer' ? 'computer' : 'phone'}`}>
        <PartForm desk={desk} part={part} all={all} checked={{ ...checked, errors }} markNote={markNote} />
        <Frame page={`/desk/website/${part.id}`} shown={part.shown} query={query} isWrong={errors.size > 0} />
      </div>,
      {
        title: part.title,
        eyebrow: (
          <>
            <a href="/desk/website">Website</a> · {part.group}
          </>
        ),
        actions: <PageActions count={all.filter(({ isChanged }) => isChanged).length} />,
      },
    );
  });
  app.post(PATH, handleActions(desk, createPartActions(desk, open)));
  app.post('/desk/website-draft/:id{.+}', async (context) => {
    const { req, text, header } = context;
    try {
      const site = await open(context);
      const part = findPart(site, req.param('id'));
      if (part === undefined) throw new Error('there is no such page any more');
      header('Desk-Draft', JSON.stringify(await keepForm(site, part, await req.parseBody<FormStrings>())));
      return text(`Draft saved at ${formatClock(Date.now())}`);
    } catch (error) {
      if (isStoreUnreachable(error)) throw error;
      return text(
        `Not saved: ${explainToOwner(error, desk).replace(/\.$/, '')}. Your text is still in this browser.`,
        500,
      );
    }
  });
}

const PATH = '/desk/website/:id{.+}';

/** A new entry isn't reported as empty until the owner leaves it. @param place such as `faq.items.10` */
function excuseNew(errors: FieldErrors, place: string | undefined): FieldErrors {
  if (place === undefined) return errors;
  return new Map(
    [...errors].filter(
      ([key, message]) => message !== FIELD_IS_EMPTY || (key !== place && !key.startsWith(`${place}.`)),
    ),
  );
}

async function findMarkNote(site: Site, fields: FieldState[], content: Content | undefined) {
  const name = fields.find(({ key }) => key === 'picture.mark')?.value as string;
  const bytes = name === '' ? undefined : await readDraftPicture(site, name);
  if (bytes === undefined || content === undefined) return undefined;
  // Imported here because it uses sharp, which takes time and memory to load.
  const { explainMark } = await import('#build/icon-marks.ts');
  return explainMark(await toMark(bytes, name.endsWith('.svg')), content.agency.name, content.brand);
}

function PageActions({ count }: { count: number }) {
  return (
    <>
      <span className="quiet" aria-live="polite" data-draft-state />
      <noscript>
        <Button form="part" action="save">
          Save and check
        </Button>
      </noscript>
      <span data-live="publish">
        {count > 0 && (
          <ButtonLink kind="filled" href="/desk/website">
            {`Publish ${count} ${count === 1 ? 'change' : 'changes'}`}
          </ButtonLink>
        )}
      </span>
    </>
  );
}

type PartFormProps = {
  desk: FormDesk;
  part: SitePart;
  all: FieldState[];
  checked: CheckResult;
  /** Says which icons can't be drawn well from the mark. */
  markNote: string | undefined;
};

function PartForm({ desk, part, all, checked: { content, errors, facts }, markNote }: PartFormProps) {
  const keys = new Set(part.fields.map(({ key }) => key));
  const fields = all.filter(({ key }) => keys.has(key));
  const unread = part.fields.find(({ key }) => all.every((each) => each.key !== key));
  const colours = part.id === 'colours' && content ? makeBrandColours(content.brand) : undefined;
  const isGone = fields.some(({ field, value }) => field.kind === 'page' && value === false);
  return (
    <div>
      {unread && <Unread file={unread.file} errors={errors} />}
      {part.file && <PageNote fields={fields} />}
      <PictureForms fields={fields} markNote={markNote} />
      {!isGone && !unread && (
        <Form
          id="part"
          encType="multipart/form-data"
          data-place={desk.env.DATA_DIR}
          data-draft={`/desk/website-draft/${part.id}`}
        >
          <input
            type="hidden"
            name="draft"
            value={JSON.stringify(hashValues(fields.map((each) => [each.key, each.value])))}
          />
          {/* The first button is the one that Enter presses. */}
          <button type="submit" name="action" value="save" className="skip" tabIndex={-1} aria-hidden>
            Save
          </button>
          {fields.some(({ field }) => hasLongText(field)) && <p className="hint">{ONE_PARAGRAPH}</p>}
          <Controls fields={fields} errors={errors} colours={colours} />
          <span data-live="revert">
            {fields.some(({ isChanged }) => isChanged) && <Button action="revert">Discard changes</Button>}
            <Undo at="part" />
          </span>
        </Form>
      )}
      {FILE_NOTES[part.id] && <p className="quiet">{FILE_NOTES[part.id]}</p>}
      <details>
        <summary>Placeholders</summary>
        <p className="hint">Type a name with its braces, and each page will show the text beside it instead.</p>
        <dl className="rows">
          {Object.entries(facts).map(([name, value]) => (
            <div key={name}>
              <dt>{`{${name}}`}</dt>
              <dd>{value ?? <span className="quiet">Not given</span>}</dd>
            </div>
          ))}
        </dl>
      </details>
      <a className="button see" href="#preview">
        See the page
      </a>
    </div>
  );
}

/** Shown instead of the form if the part's file can't be read. */
function Unread({ file, errors }: { file: SourceName; errors: FieldErrors }) {
  const error = [...errors].find(([key]) => key === file || key.startsWith(`${file}.`))?.[1];
  return (
    <p className="notice error">
      This part can’t be changed here until {toFile(file)} is corrected in an editor. {error} The other parts can still
      be changed.
    </p>
  );
}

const ONE_PARAGRAPH = 'Each large field is one paragraph: line breaks become spaces when the page is built.';

/** Notes on a part for the owner. */
const FILE_NOTES: Record<string, string> = {
  tags: 'Visitors are asked before any of these loads: the cookie banner asks for the category, and names the provider and the purpose. If you add or remove one, or change its category, its provider, its purpose or what it stores, everybody is asked again. The list of your changes says so before you publish.',
};
