import type { Hono } from 'hono';
import { useContext } from 'react';
import { z } from 'zod';
import { LogoMark } from '#components/logo-mark.tsx';
import { type ReadUpdate, readUpdateFile } from '#newsletter/updates/read-update-file.ts';
import { savePicture } from '#newsletter/updates/update-pictures.ts';
import { readSource, removeEmail, StaleRevisionError, writeEmail } from '#newsletter/updates/stored-emails.ts';
import {
  findFreeName,
  NEW,
  readWriting,
  toWriting,
  type Writing,
  writingPath,
} from '#newsletter/updates/update-files.ts';
import { capitalise, formatClock, formatShortMoment } from '#newsletter/format.ts';
import { type Action, createAction, handleActions } from './handle-forms.ts';
import type { WritingDesk } from './desk-types.ts';
import { addPreview, fill } from './mail-preview.ts';
import { PAGE_KEY } from './security.ts';
import { ActionButton, Button, Field, Form, FormState } from './ui.tsx';
import { Tabs } from './tabs.tsx';
import { createSendActions, type Checks, renderSendingForms } from './sending-form.tsx';

/** Adds the page where the owner writes, previews, tests and sends an update. */
export function addWriting(app: Hono, desk: WritingDesk): void {
  const checks: { last?: Checks } = {};
  app.get(PATH, async (context) => {
    const name = context.req.param('name');
    const source = await readSource(desk.store.db, desk.places.updates, name);
    if (source === undefined && name !== NEW) return context.notFound();
    const writing = toWriting(source?.text ?? '');
    const revision = source?.revision ?? 0;
    const sources = { ...desk.places, db: desk.store.db, sender: desk.content };
    const read =
      source && name !== NEW ? await readUpdateFile(`${name}.md`, sources).catch((error: Error) => error) : undefined;
    const view = context.req.query('view') ?? 'phone';
    return context.render(
      <>
        <div className="write">
          <div>
            <Editor desk={desk} writing={writing} revision={revision} />
            {revision > 0 && <Removal />}
          </div>
          <div>
            <Views name={name} chosen={view} />
            <Inbox agencyName={desk.content.agency.name} writing={writing} />
            <Preview desk={desk} name={name} read={read} view={view} />
          </div>
        </div>
        {read &&
          !(read instanceof Error) &&
          (await renderSendingForms(desk, { ...writing, revision }, read, {
            checks: checks.last,
            me: context.get('session')?.email ?? undefined,
          }))}
      </>,
      {
        title: writing.subject || 'Write an update',
        actions: (
          <>
            <span className="quiet" aria-live="polite" data-draft-state>
              {source && revision > 0 && `Draft saved ${formatShortMoment(source.changedAt)}`}
            </span>
            <Button form="write" action="save">
              Save and preview
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

function createSaveActions(desk: WritingDesk): Record<string, Action> {
  const { store } = desk;
  const save = createAction(
    SAVE_FORM,
    async ({ action, draft }, { req, get }) => {
      const name = req.param('name')!;
      const form = await req.formData();
      const writing = readWriting(form);
      const picture = form.get('picture');
      const isChosen = picture instanceof File && picture.size > 0;
      if (name === NEW && writing.subject === '') {
        const again = isChosen ? ' Choose your picture again.' : '';
        throw new Error(`Write a subject first: the update is named after it.${again}`);
      }
      if (isChosen) writing.text += `\n\n${await savePicture(store, picture)}`;
      const month = new Date().toISOString().slice(0, 7);
      const saved =
        name === NEW ? await findFreeName(`${month} ${writing.subject}`, (free) => isTaken(desk, free)) : name;
      await writeEmail(store, {
        name: saved,
        writing,
        by: get('session')?.email ?? '',
        seen: name === NEW ? undefined : draft,
      });
      if (name === NEW) await removeEmail(store.db, NEW);
      return action === 'save' ? { to: writingPath(saved), notice: 'Saved.' } : { to: `${writingPath(saved)}#send` };
    },
    'text',
  );
  return {
    save,
    'save-and-go': save,
    remove: async (_, { req }) => {
      const name = req.param('name')!;
      await removeEmail(store.db, name);
      const isFile = (await readSource(store.db, desk.places.updates, name)) !== undefined;
      return {
        to: '/desk/updates',
        notice: isFile ? 'Your changes were removed; its file is shown again.' : 'Removed.',
      };
    },
  };
}

/** A sent update's name isn't reused: the record of who has received it refers to that name. */
async function isTaken({ store: { db }, places }: WritingDesk, name: string): Promise<boolean> {
  if ((await readSource(db, places.updates, name)) !== undefined) return true;
  const sent = db.selectFrom('updates').select('id').where('file', '=', `${name}.md`).limit(1);
  return (await sent.executeTakeFirst()) !== undefined;
}

/** `readWriting` reads the other fields, some of which have several values. */
const SAVE_FORM = z.object({ action: z.string(), text: z.string(), draft: z.coerce.number() });

/** Adds the routes to which the page's script sends text as it is typed, and dropped pictures. */
function addAutosave(app: Hono, desk: WritingDesk): void {
  app.post(`${PATH}/draft`, async ({ req, text, header, get }) => {
    const form = await req.formData();
    const by = get('session')?.email ?? '';
    const email = { name: req.param('name'), writing: readWriting(form), by, seen: Number(form.get('draft')) };
    try {
      header(DRAFT_HEADER, String(await writeEmail(desk.store, email)));
      return text(`Draft saved at ${formatClock(Date.now())}`);
    } catch (error) {
      if (!(error instanceof StaleRevisionError)) throw error;
      return text(error.message, 409);
    }
  });
  app.post('/desk/updates/pictures', async (context) => {
    const { picture } = await context.req.parseBody();
    try {
      if (!(picture instanceof File)) throw new Error('Drop a picture.');
      return context.text(await savePicture(desk.store, picture));
    } catch (error) {
      return context.text((error as Error).message, 400);
    }
  });
}

/** The response header with the revision of the stored email, which the page sends with its next save. */
const DRAFT_HEADER = 'Desk-Draft';

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

function Removal() {
  return (
    <details>
      <summary>Remove this update</summary>
      <p className="hint">Emails that have already been sent can’t be recalled.</p>
      <ActionButton kind="danger" action="remove">
        Remove
      </ActionButton>
    </details>
  );
}

type EditorProps = { desk: WritingDesk; writing: Writing; revision: number };

/** Its `data-place` is the data folder, so that a browser doesn't mix up the drafts of two desks at one URL. */
function Editor({ desk: { env }, writing, revision }: EditorProps) {
  return (
    <Form id="write" encType="multipart/form-data" data-place={env.DATA_DIR}>
      <input type="hidden" name="draft" value={revision} />
      <Field id="subject" label="Subject" defaultValue={writing.subject} maxLength={200} />
      <Field id="preview" label="Preview text (shown in the inbox)" defaultValue={writing.preview} maxLength={300} />
      <Field
        as="textarea"
        id="text"
        label="Text"
        hint="Start a line with # for a heading or - for a list; put **two stars** on each side of bold text. Drop a picture where you want it."
        defaultValue={writing.text}
        spellCheck
      />
      <details>
        <summary>Add a picture from a file</summary>
        <Field
          id="picture"
          label="Picture"
          hint="It is added at the end of the text when you save."
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
      <p className="quiet">{preview || 'Preview text'}</p>
    </div>
  );
}

/** @property read undefined until the update has been saved; an error if the update can't be sent */
type PreviewProps = { desk: WritingDesk; name: string; read: ReadUpdate | Error | undefined; view: string };

function Preview({ desk, name, read, view }: PreviewProps) {
  if (read === undefined) return <p className="quiet">Save to preview it as an email.</p>;
  if (read instanceof Error) {
    return (
      <div className="error">
        This can’t be sent yet.
        <Problems problems={read.message.split('\n')} />
      </div>
    );
  }
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
      Check this before you send it.
      <Problems problems={warnings} />
    </div>
  );
}

/** Omits the file and line, which the owner can't see. @property problems as formatSourceError writes them */
function Problems({ problems }: { problems: string[] }) {
  const sentences = problems.map((problem) => capitalise(problem.replace(/^.*?\.md(:\d+:\d+)?:? /, '')));
  return (
    <ul>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence.replace(/[^.?!]$/, '$&.')}</li>
      ))}
    </ul>
  );
}

type FramesProps = Pick<PreviewProps, 'name' | 'view'>;

function Frames({ name, view }: FramesProps) {
  const { pageKey } = useContext(FormState);
  return (
    <div className={view === 'computer' ? 'phones one' : 'phones'}>
      {(['light', 'dark'] as const).map((scheme) => (
        <figure key={scheme}>
          <figcaption>{capitalise(scheme)}</figcaption>
          <iframe
            title={`The email in ${scheme} mode`}
            src={`${writingPath(name)}/mail/${scheme}?${PAGE_KEY}=${pageKey}`}
            sandbox=""
          />
        </figure>
      ))}
    </div>
  );
}
