import { Resolver } from 'node:dns/promises';
import type { Context, Hono } from 'hono';
import { agency } from 'virtual:content';
import { countAudience } from '#mail/updates/audience.ts';
import { checkSender } from '../updates/check.ts';
import { planSending, queueForSending } from '../updates/send.ts';
import { sendTestMail } from '../updates/send-test.ts';
import type { Desk } from './desk-types.ts';
import { showPage } from './frame.tsx';
import { addPreview, readUpdate } from './mail-preview.ts';
import { savePicture } from './pictures.ts';
import { type Checks, Sending } from './sending-form.tsx';
import {
  openDrafts,
  isName,
  NEW,
  newName,
  readSource,
  readWriting,
  toSource,
  toWriting,
  hashSource,
  type Writing,
  writeSource,
  writingPath,
} from './update-files.ts';
import { type Mistake, WritingForm } from './writing-form.tsx';
import { formatClock, people } from './words.ts';

/** Writing an update, seeing it as a mail, trying it, and sending it. */
export function addWriting(app: Hono, desk: Desk): void {
  const drafts = openDrafts(desk.places.dataDir);
  const folder = desk.places.updates;
  let checks: Checks | undefined;
  const show = (context: Context, name: string, mistake: Mistake = {}) =>
    showWriting(context, desk, { name, mistake, checks });
  app.get('/updates/new', async (context) => show(context, NEW));
  app.get('/updates/write/:name', async (context) => {
    const name = context.req.param('name');
    return readSource(folder, name) === undefined ? context.notFound() : show(context, name);
  });
  app.post('/updates/write/:name/draft', async (context) => {
    const name = context.req.param('name');
    if (!isName(name)) return context.notFound();
    drafts.keep(name, toSource(readWriting(await context.req.parseBody({ all: true }))));
    return context.text(`Draft kept at ${formatClock(Date.now())}`);
  });
  app.post('/updates/write/:name/throw-away', async (context) => {
    drafts.remove(context.req.param('name'));
    return context.redirect(writingPath(context.req.param('name')), 303);
  });
  addSaving(app, desk, show);
  addSending(app, desk, show);
  app.post('/updates/write/:name/check', async (context) => {
    const { selector = '' } = (await context.req.parseBody()) as { selector?: string };
    const resolver = new Resolver({ timeout: 3000, tries: 2 });
    checks = { selector, at: Date.now(), findings: await checkSender(desk, selector || undefined, agency, resolver) };
    return context.redirect(`${writingPath(context.req.param('name'))}#checks`, 303);
  });
  addPreview(app, desk);
}

type Show = (context: Context, name: string, mistake: Mistake) => Promise<Response>;

function addSaving(app: Hono, desk: Desk, show: Show): void {
  const drafts = openDrafts(desk.places.dataDir);
  const folder = desk.places.updates;
  app.post('/updates/write/:name', async (context) => {
    const name = context.req.param('name');
    const form = await context.req.parseBody({ all: true });
    if (!isName(name)) return context.notFound();
    const writing = readWriting(form);
    const source = toSource(writing);
    drafts.keep(name, source);
    if (name === NEW && writing.subject === '') {
      return show(context, name, { subject: 'Write a subject first: the file is named after it.' });
    }
    if (name !== NEW && form.version !== hashSource(readSource(folder, name)) && form.overwrite !== 'yes') {
      return show(context, name, {
        file: `${name}.md changed on disk since you opened it. Your words are kept as a draft, and nothing was written over it.`,
      });
    }
    const saved = name === NEW ? newName(folder, writing.subject, new Date()) : name;
    writeSource(folder, saved, source);
    drafts.remove(name);
    const { picture } = form;
    if (picture instanceof File && picture.size > 0) {
      try {
        writeSource(folder, saved, `${source}\n${await savePicture(desk.places, picture)}\n`);
      } catch (error) {
        return show(context, saved, { picture: `${(error as Error).message} Your words are saved.` });
      }
    }
    const next = form.go === 'send' ? '#send' : `?${desk.say('Saved.')}`;
    return context.redirect(`${writingPath(saved)}${next}`, 303);
  });
  app.post('/updates/pictures', async (context) => {
    const { picture } = await context.req.parseBody();
    if (!(picture instanceof File)) return context.text('Drop a picture.', 400);
    try {
      return context.text(await savePicture(desk.places, picture));
    } catch (error) {
      return context.text((error as Error).message, 400);
    }
  });
}

/** A test to the owner, and the sending itself. */
function addSending(app: Hono, desk: Desk, show: Show): void {
  app.post('/updates/write/:name/test', async (context) => {
    const name = context.req.param('name');
    const { to = '' } = (await context.req.parseBody()) as { to?: string };
    try {
      const place = await sendTestMail(desk, await readUpdate(desk, name), to, agency);
      return context.redirect(`${writingPath(name)}?${desk.say(`A test is sent to ${to} by ${place}.`)}`, 303);
    } catch (error) {
      return show(context, name, { test: (error as Error).message, typed: to });
    }
  });
  app.post('/updates/write/:name/send', async (context) => {
    const name = context.req.param('name');
    const { typed = '', when, date, time } = (await context.req.parseBody()) as Record<string, string>;
    try {
      const update = await readUpdate(desk, name);
      const plan = await planSending(desk, update, when === 'later' ? `${date}T${time}` : undefined);
      if (typed.trim() !== String(plan.audience.total)) {
        const message = `You typed ${typed || 'nothing'}, and this goes to ${people(plan.audience.total)}. Nothing was sent. Type ${plan.audience.total}, or change who gets it.`;
        return await show(context, name, { send: message, typed });
      }
      const id = await queueForSending(desk, update, plan);
      return context.redirect(`/updates/sent/${id}`, 303);
    } catch (error) {
      return show(context, name, { send: (error as Error).message, typed });
    }
  });
}

async function showWriting(
  context: Context,
  desk: Desk,
  { name, mistake, checks }: { name: string; mistake: Mistake; checks: Checks | undefined },
): Promise<Response> {
  const source = readSource(desk.places.updates, name);
  const draft = openDrafts(desk.places.dataDir).read(name);
  const writing: Writing = toWriting(
    draft?.source ?? source ?? toSource({ subject: '', preview: '', text: '', roles: undefined }),
  );
  const update = source === undefined ? undefined : await readUpdate(desk, name).catch((error: Error) => error);
  const { db } = desk.store;
  const isReady = update !== undefined && !(update instanceof Error);
  return showPage(context, desk, {
    title: writing.subject || 'Write an update',
    section: '/updates',
    status: Object.keys(mistake).length > 0 ? 400 : 200,
    eyebrow: <a href="/updates">Updates</a>,
    actions: <WritingActions draftAt={draft?.at} />,
    body: (
      <>
        <WritingForm
          desk={desk}
          page={{
            name,
            writing,
            version: hashSource(source),
            mistake,
            hasDraft: draft !== undefined && source !== undefined,
            view: context.req.query('view') ?? 'phone',
            preview: update,
          }}
        />
        {isReady && (
          <Sending
            desk={desk}
            name={name}
            update={update}
            writing={writing}
            byRole={(await countAudience(db, { file: update.file, contentHash: update.update.contentHash })).byRole}
            plan={await planSending(desk, update, undefined)}
            checks={checks}
            mistake={mistake}
          />
        )}
      </>
    ),
  });
}

function WritingActions({ draftAt }: { draftAt: number | undefined }) {
  return (
    <>
      <output className="quiet" data-draft-state>
        {draftAt === undefined ? '' : `Draft kept at ${formatClock(draftAt)}`}
      </output>
      <button className="button" type="submit" form="write">
        Save and show
      </button>
      <button className="button filled" type="submit" form="write" name="go" value="send">
        Go to sending
      </button>
    </>
  );
}
