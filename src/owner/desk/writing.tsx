import type { Context, Hono } from 'hono';
import { countAudience } from '#mail/updates/audience.ts';
import { planSending } from '../updates/send.ts';
import { answerForm, type Typed } from './answer-form.ts';
import type { Desk } from './desk-types.ts';
import { addPreview, readUpdate } from './mail-preview.ts';
import { Button } from './parts.tsx';
import { savePicture } from './pictures.ts';
import { addSendingForms, type Checks, SendingForms } from './sending-form.tsx';
import {
  draftsFolder,
  findFreeName,
  NEW,
  readSource,
  readWriting,
  removeSource,
  type Source,
  toSource,
  toWriting,
  writeSource,
  writingPath,
} from './update-files.ts';
import { WritingForm } from './writing-form.tsx';
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
    const update = source && (await readUpdate(desk, name).catch((error: Error) => error));
    const view = context.req.query('view') ?? 'phone';
    return context.render(
      <>
        <WritingForm
          {...{ desk, name, writing, update, view }}
          version={String(source?.changedAt)}
          draftNote={draft && source && describeOrder(draft, source)}
        />
        {update !== undefined && !(update instanceof Error) && (
          <SendingForms
            name={name}
            writing={writing}
            plan={await planSending(desk, update)}
            everybody={await countAudience(desk.store.db, {
              file: update.file,
              contentHash: update.update.contentHash,
            })}
            checks={checks.last}
            testTo={desk.env.NOTIFY_TO}
          />
        )}
      </>,
      {
        title: writing.subject || 'Write an update',
        section: '/updates',
        eyebrow: <a href="/updates">Updates</a>,
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
  addSaving(app, desk, show);
  addSendingForms(app, desk, { show, checks });
  addPreview(app, desk);
}

function describeDraft(at: number): string {
  return `Draft kept at ${formatClock(at)}`;
}

function describeOrder(draft: Source, source: Source): string {
  return draft.changedAt < source.changedAt
    ? 'These words are a draft, and the file changed after them: saving writes over it.'
    : 'These words are a draft; the preview shows the file.';
}

function addSaving(app: Hono, desk: Desk, show: (context: Context) => Promise<Response>): void {
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
  app.post(`${path}/throw-away`, answerForm(desk, { show, act: (_, { req }) => throwAway(req.param('name') ?? NEW) }));
  const save = async (form: Typed, context: Context) => {
    const { name, writing } = await keepDraft(context);
    if (name === NEW && writing.subject === '') throw new Error('Write a subject first: the file is named after it.');
    if (name !== NEW && form.version !== String(readSource(updates, name)?.changedAt)) {
      throw new Error(
        `${name}.md changed on disk since you opened it. Nothing was written over it, and your words are kept as a draft. Save again to write them over it.`,
      );
    }
    const { picture } = await context.req.parseBody();
    const added = picture instanceof File && picture.size > 0 ? `\n${await savePicture(desk.places, picture)}\n` : '';
    const month = new Date().toISOString().slice(0, 7);
    const saved = name === NEW ? findFreeName(updates, `${month} ${writing.subject}`, '.md') : name;
    writeSource(updates, saved, `${toSource(writing)}${added}`);
    removeSource(drafts, name);
    return form.go === 'send' ? { to: `${writingPath(saved)}#send` } : { to: writingPath(saved), notice: 'Saved.' };
  };
  app.post(path, answerForm(desk, { show, act: save }));
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
