import type { Context, Hono } from 'hono';
import { agency } from 'virtual:content';
import { countAudience } from '#mail/updates/audience.ts';
import { LogoMark } from '#site/ui/logo-mark.tsx';
import type { ReadUpdate } from '../updates/read-update-file.ts';
import { planSending } from '../updates/send.ts';
import { answerForm, type Typed } from './answer-form.ts';
import type { Desk } from './desk-types.ts';
import { addPreview, fill, readUpdate } from './mail-preview.ts';
import { Button, Field, Form, Tabs } from './parts.tsx';
import { savePicture } from './pictures.ts';
import { addSendingForms, type Checks, SendingForms } from './sending-form.tsx';
import {
  draftsFolder,
  findFreeName,
  NEW,
  readSource,
  readWriting,
  removeSource,
  toSource,
  toWriting,
  type Writing,
  writeSource,
  writingPath,
} from './update-files.ts';
import { formatClock } from './words.ts';

/** Writing an update, seeing it as a mail, trying it, and sending it. */
export function addWriting(app: Hono, desk: Desk): void {
  const drafts = draftsFolder(desk.places.dataDir);
  const checks: { last?: Checks } = {};
  const show = async (context: Context) => {
    const name = context.req.param('name') ?? NEW;
    const source = readSource(desk.places.updates, name);
    if (source === undefined && name !== NEW) return context.notFound();
    const draft = readSource(drafts, name);
    const writing = toWriting((draft ?? source)?.text ?? '');
    const read = source && (await readUpdate(desk, name).catch((error: Error) => error));
    const version = String(source?.changedAt);
    return context.render(
      <>
        <div className="write">
          <div>
            {draft && source && <DraftNote path={writingPath(name)} isOlder={draft.changedAt < source.changedAt} />}
            <Words place={desk.places.dataDir} path={writingPath(name)} writing={writing} version={version} />
          </div>
          <div>
            <Views name={name} chosen={findView(context)} />
            <Inbox writing={writing} />
            <Preview desk={desk} name={name} read={read} view={findView(context)} version={version} />
          </div>
        </div>
        {read && !(read instanceof Error) && (
          <SendingForms
            name={name}
            writing={writing}
            plan={await planSending(desk, read)}
            everybody={await countAudience(desk.store.db, {
              file: read.file,
              contentHash: read.update.contentHash,
            })}
            checks={checks.last}
            testTo={desk.env.NOTIFY_TO}
          />
        )}
      </>,
      {
        title: writing.subject || 'Write an update',
        actions: (
          <>
            <output className="quiet" data-draft-state>
              {draft && describeDraft(draft.changedAt)}
            </output>
            <Button form="write">Save and show</Button>
            <Button kind="filled" form="write" name="go" value="send">
              Go to sending
            </Button>
          </>
        ),
      },
    );
  };
  app.get('/updates/new', show);
  app.get('/updates/write/:name', show);
  addSaving(app, desk);
  addSendingForms(app, desk, checks);
  addPreview(app, desk);
}

function describeDraft(at: number): string {
  return `Draft kept at ${formatClock(at)}`;
}

function addSaving(app: Hono, desk: Desk): void {
  const { updates, dataDir } = desk.places;
  const drafts = draftsFolder(dataDir);
  const path = '/updates/write/:name';
  const keepDraft = async (context: Context) => {
    const name = context.req.param('name') ?? NEW;
    const writing = readWriting(await context.req.formData());
    writeSource(drafts, name, toSource(writing));
    return { name, writing };
  };
  app.post(`${path}/draft`, async (context) => {
    await keepDraft(context);
    return context.text(describeDraft(Date.now()));
  });
  const throwAway = async (name: string) => {
    removeSource(drafts, name);
    return { to: writingPath(name) };
  };
  app.post(`${path}/throw-away`, answerForm(desk, { act: (_, { req }) => throwAway(req.param('name') ?? NEW) }));
  const save = async (form: Typed, context: Context) => {
    const { name, writing } = await keepDraft(context);
    const { picture } = await context.req.parseBody();
    const isChosen = picture instanceof File && picture.size > 0;
    const again = isChosen ? ' Choose your picture again.' : '';
    if (name === NEW && writing.subject === '') {
      throw new Error(`Write a subject first: the file is named after it.${again}`);
    }
    if (name !== NEW && form.version !== String(readSource(updates, name)?.changedAt)) {
      throw new Error(
        `${name}.md changed on disk since you opened it. Nothing was written over it, and your words are kept as a draft. Save again to write them over it.${again}`,
      );
    }
    const added = isChosen ? `\n${await savePicture(desk.places, picture)}\n` : '';
    const month = new Date().toISOString().slice(0, 7);
    const saved = name === NEW ? findFreeName(updates, `${month} ${writing.subject}`, '.md') : name;
    writeSource(updates, saved, `${toSource(writing)}${added}`);
    removeSource(drafts, name);
    return form.go === 'send' ? { to: `${writingPath(saved)}#send` } : { to: writingPath(saved), notice: 'Saved.' };
  };
  app.post(path, answerForm(desk, { act: save }));
  app.post('/updates/pictures', async (context) => {
    const { picture } = await context.req.parseBody();
    try {
      if (!(picture instanceof File)) throw new Error('Drop a picture.');
      return context.text(await savePicture(desk.places, picture));
    } catch (error) {
      return context.text((error as Error).message, 400);
    }
  });
}

const VIEWS = { phone: 'Phone', computer: 'Computer', text: 'Plain text' };
type View = keyof typeof VIEWS;

function findView({ req }: Context): View {
  return (Object.keys(VIEWS) as View[]).find((each) => each === req.query('view')) ?? 'phone';
}

function Views({ name, chosen }: { name: string; chosen: View }) {
  const path = name === NEW ? '/updates/new' : writingPath(name);
  const links = Object.entries(VIEWS).map(([view, words]) => ({
    href: `${path}?view=${view}`,
    words,
    isChosen: view === chosen,
  }));
  return <Tabs label="Preview" links={links} />;
}

function DraftNote({ path, isOlder }: { path: string; isOlder: boolean }) {
  return (
    <Form action={`${path}/throw-away`}>
      <p>
        {isOlder
          ? 'These words are a draft, and the file changed after them: saving writes over it.'
          : 'These words are a draft; the preview shows the file.'}{' '}
        <button className="link" type="submit">
          Throw the draft away
        </button>
      </p>
    </Form>
  );
}

type WordsProps = { place: string; path: string; writing: Writing; version: string };

/** @param props.place the data folder, by which a browser tells the desks that it opens at one address */
function Words({ place, path, writing, version }: WordsProps) {
  const drafts = { 'data-draft': `${path}/draft`, 'data-place': place };
  return (
    <Form action={path} id="write" encType="multipart/form-data" {...drafts}>
      <input type="hidden" name="version" value={version} />
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
          accept="image/png,image/jpeg,image/gif"
        />
      </details>
    </Form>
  );
}

function Inbox({ writing: { subject, preview } }: { writing: Writing }) {
  return (
    <div className="inbox">
      <span>
        <LogoMark />
      </span>
      <p>
        <b>{agency.name}</b>
      </p>
      <small className="quiet">09:00</small>
      <p>
        <b>{subject || 'Subject'}</b>
      </p>
      <p className="quiet">{preview || 'The second line'}</p>
    </div>
  );
}

/** @property read undefined where there is no file yet; an error where it cannot be sent */
type PreviewProps = { desk: Desk; name: string; read: ReadUpdate | Error | undefined; view: View; version: string };

function Preview({ desk, name, read, view, version }: PreviewProps) {
  if (read === undefined) return <p className="quiet">Save it to see it as an email.</p>;
  if (read instanceof Error) {
    return `This cannot be sent yet.\n${read.message}`.split('\n').map((line) => (
      <p key={line} className="error">
        {line}
      </p>
    ));
  }
  if (view === 'text') return <pre>{fill(desk, read.template).text}</pre>;
  return (
    <div className={view === 'computer' ? 'phones one' : 'phones'}>
      {(['light', 'dark'] as const).map((scheme) => (
        <figure key={scheme}>
          <figcaption>{scheme === 'light' ? 'Light' : 'Dark'}</figcaption>
          <iframe
            className={scheme}
            title={`The email, ${scheme}`}
            src={`${writingPath(name)}/mail/${scheme}?v=${version}`}
            sandbox=""
          />
        </figure>
      ))}
    </div>
  );
}
