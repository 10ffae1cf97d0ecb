import type { Hono } from 'hono';
import { z } from 'zod';
import { LogoMark } from '#components/logo-mark.tsx';
import { type ReadUpdate, readUpdateFile } from '#newsletter/updates/read-update-file.ts';
import { savePicture } from '#newsletter/updates/update-pictures.ts';
import {
  findFreeName,
  NEW,
  readSource,
  readVersion,
  readWriting,
  removeSource,
  type Source,
  toSource,
  toWriting,
  type Writing,
  writeSource,
  writingPath,
} from '#newsletter/updates/update-files.ts';
import { capitalise, formatClock } from '#newsletter/format.ts';
import { type Action, createAction, handleActions } from './actions.ts';
import type { WritingDesk } from './desk-types.ts';
import { addPreview, fill } from './mail-preview.ts';
import { ActionButton, Button, Field, Form, Tabs } from './ui.tsx';
import { createSendActions, type Checks, renderSendingForms } from './sending-form.tsx';

/** Adds the page on which the owner writes an update, previews it, tests it and sends it. */
export function addWriting(app: Hono, desk: WritingDesk): void {
  const checks: { last?: Checks } = {};
  app.get(PATH, async (context) => {
    const name = context.req.param('name');
    const source = readSource(desk.places.updates, name);
    const draft = readSource(desk.drafts, name);
    if (source === undefined && draft === undefined && name !== NEW) return context.notFound();
    const writing = toWriting((draft ?? source)?.text ?? '');
    const version = readVersion(source);
    const read =
      source &&
      (await readUpdateFile(`${name}.md`, { ...desk.places, sender: desk.content }).catch((error: Error) => error));
    const view = context.req.query('view') ?? 'phone';
    return context.render(
      <>
        <div className="write">
          <div>
            {draft && <DraftNote hasFile={source !== undefined} isOlder={writing.version !== version} />}
            <Words desk={desk} writing={draft && source ? writing : { ...writing, version }} draft={draft} />
          </div>
          <div>
            <Views name={name} chosen={view} />
            <Inbox agencyName={desk.content.agency.name} writing={writing} />
            <Preview desk={desk} name={name} read={read} view={view} />
          </div>
        </div>
        {read && !(read instanceof Error) && (await renderSendingForms(desk, name, writing, read, checks.last))}
      </>,
      {
        title: writing.subject || 'Write an update',
        actions: (
          <>
            <span className="quiet" aria-live="polite" data-draft-state>
              {draft && describeDraft(draft.changedAt)}
            </span>
            <Button form="write" action="save">
              Save and show
            </Button>
            <Button kind="filled" form="write" action="save-and-go">
              Go to sending
            </Button>
          </>
        ),
      },
    );
  });
  app.post(PATH, handleActions(desk, { ...createSaveActions(desk), ...createSendActions(desk, checks) }));
  addAutosave(app, desk);
  addPreview(app, desk);
}

const PATH = '/desk/updates/write/:name';

function describeDraft(at: number): string {
  return `Draft kept at ${formatClock(at)}`;
}

function createSaveActions(desk: WritingDesk): Record<string, Action> {
  const { drafts, places } = desk;
  const save = createAction(
    SAVE_FORM,
    async ({ action }, { req }) => {
      const name = req.param('name')!;
      const form = await req.formData();
      const { version, ...writing } = readWriting(form);
      const current = readVersion(readSource(places.updates, name));
      // The draft gets the file's current version, so that the owner's next save overwrites the file.
      keepDraft(desk, name, { ...writing, version: current }, form.get('draft'));
      const picture = form.get('picture');
      const isChosen = picture instanceof File && picture.size > 0;
      const again = isChosen ? ' Choose your picture again.' : '';
      if (name === NEW && writing.subject === '') {
        throw new Error(`Write a subject first: the file is named after it.${again}`);
      }
      if (name !== NEW && version !== current) {
        throw new Error(
          `${name}.md changed on disk since you wrote these words. Nothing was written over it, and your words are kept as a draft. Save again to write them over it.${again}`,
        );
      }
      const added = isChosen ? `\n${await savePicture(places, picture)}\n` : '';
      const month = new Date().toISOString().slice(0, 7);
      const saved = name === NEW ? findFreeName([drafts, places.updates], `${month} ${writing.subject}`, '.md') : name;
      writeSource(places.updates, saved, `${toSource(writing)}${added}`);
      removeSource(drafts, name);
      return action === 'save' ? { to: writingPath(saved), notice: 'Saved.' } : { to: `${writingPath(saved)}#send` };
    },
    'text',
  );
  return {
    save,
    'save-and-go': save,
    discard: (_, { req }) => {
      const name = req.param('name')!;
      removeSource(drafts, name);
      return readSource(places.updates, name) ? {} : { to: '/desk/updates' };
    },
  };
}

/** `readWriting` reads the other fields, of which some have several values. */
const SAVE_FORM = z.object({ action: z.string(), text: z.string() });

/** Stores what the page's script sends: text as it is typed, and pictures that are dropped. */
function addAutosave(app: Hono, desk: WritingDesk): void {
  app.post(`${PATH}/draft`, async ({ req, text, header }) => {
    const form = await req.formData();
    try {
      header(DRAFT_HEADER, keepDraft(desk, req.param('name'), readWriting(form), form.get('draft')));
      return text(describeDraft(Date.now()));
    } catch (error) {
      if (!(error instanceof WindowBehind)) throw error;
      return text(error.message, 409);
    }
  });
  app.post('/desk/updates/pictures', async (context) => {
    const { picture } = await context.req.parseBody();
    try {
      if (!(picture instanceof File)) throw new Error('Drop a picture.');
      return context.text(await savePicture(desk.places, picture));
    } catch (error) {
      return context.text((error as Error).message, 400);
    }
  });
}

/** The header with the version of the stored draft, which the page sends with the next one. */
const DRAFT_HEADER = 'Desk-Draft';

/**
 * Stores the draft of an update, of which there is one.
 * @param seen the version of the draft that the page has
 * @returns the version of the new one
 * @throws if another window has changed it since; then nothing is stored
 */
function keepDraft({ drafts }: WritingDesk, name: string, writing: Writing, seen: unknown): string {
  const before = readSource(drafts, name);
  const text = toSource(writing);
  if (before !== undefined && before.text !== text && readVersion(before) !== seen) throw new WindowBehind();
  writeSource(drafts, name, text);
  return readVersion(readSource(drafts, name));
}

class WindowBehind extends Error {
  override message =
    'Another window has changed this update since. Your words stay in this window: save them to write them over the others.';
}

const VIEWS = { phone: 'Phone', computer: 'Computer', text: 'Plain text' };

type ViewsProps = { name: string; chosen: string };

function Views({ name, chosen }: ViewsProps) {
  const links = Object.entries(VIEWS).map(([view, label]) => ({
    href: `${writingPath(name)}?view=${view}`,
    label,
    isChosen: view === chosen,
  }));
  return <Tabs label="Preview" links={links} />;
}

type DraftNoteProps = { hasFile: boolean; isOlder: boolean };

function DraftNote({ hasFile, isOlder }: DraftNoteProps) {
  const file = isOlder ? ', and the file changed after them' : '; the preview shows the file';
  return (
    <div className="notice">
      These words are a draft{hasFile && file}.<ActionButton action="discard">Discard draft</ActionButton>
    </div>
  );
}

type WordsProps = { desk: WritingDesk; writing: Writing; draft: Source | undefined };

/** With the data folder, so that a browser doesn't mix the drafts of two desks at one URL. */
function Words({ desk: { env }, writing, draft }: WordsProps) {
  return (
    <Form id="write" encType="multipart/form-data" data-place={env.DATA_DIR}>
      <input type="hidden" name="version" value={writing.version} />
      <input type="hidden" name="draft" value={readVersion(draft)} />
      <Field id="subject" label="Subject" defaultValue={writing.subject} maxLength={200} />
      <Field id="preview" label="Second line in the inbox" defaultValue={writing.preview} maxLength={300} />
      <Field
        as="textarea"
        id="text"
        label="Text"
        hint="A line with # is a heading, - a list, **two stars** bold. Drop a picture where you want it."
        defaultValue={writing.text}
        spellCheck
      />
      <details>
        <summary>Add a picture from a file</summary>
        <Field
          id="picture"
          label="Picture"
          hint="It is put at the end of the text when you save."
          type="file"
          accept="image/*"
        />
      </details>
    </Form>
  );
}

type InboxProps = { agencyName: string; writing: Writing };

function Inbox({ agencyName, writing: { subject, preview } }: InboxProps) {
  return (
    <div className="inbox">
      <span>
        <LogoMark />
      </span>
      <b>{agencyName}</b>
      <small>09:00</small>
      <b>{subject || 'Subject'}</b>
      <p className="quiet">{preview || 'The second line'}</p>
    </div>
  );
}

/** @property read undefined if there is no file yet; an error if it can't be sent */
type PreviewProps = { desk: WritingDesk; name: string; read: ReadUpdate | Error | undefined; view: string };

function Preview({ desk, name, read, view }: PreviewProps) {
  if (read === undefined) return <p className="quiet">Save it to see it as an email.</p>;
  if (read instanceof Error) return <p className="error">{`This cannot be sent yet.\n${read.message}`}</p>;
  return (
    <>
      <Warnings warnings={read.warnings} />
      {view === 'text' ? <pre>{fill(desk, read.template).text}</pre> : <Frames name={name} view={view} />}
    </>
  );
}

type WarningsProps = { warnings: string[] };

function Warnings({ warnings }: WarningsProps) {
  if (warnings.length === 0) return null;
  return (
    <div className="notice">
      Look at this before you send it.
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </div>
  );
}

type FramesProps = Pick<PreviewProps, 'name' | 'view'>;

function Frames({ name, view }: FramesProps) {
  return (
    <div className={view === 'computer' ? 'phones one' : 'phones'}>
      {(['light', 'dark'] as const).map((scheme) => (
        <figure key={scheme}>
          <figcaption>{capitalise(scheme)}</figcaption>
          <iframe title={`The email, ${scheme}`} src={`${writingPath(name)}/mail/${scheme}`} sandbox="" />
        </figure>
      ))}
    </div>
  );
}
