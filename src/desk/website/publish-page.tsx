import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Hono } from 'hono';
import { z } from 'zod';
import { formatClock, formatMoment } from '#newsletter/format.ts';
import { listWordFiles } from '#content/word-files.ts';
import { createAction, handleActions } from '../actions.ts';
import type { WebsiteDesk } from '../desk-types.ts';
import { Button, ButtonLink, Form, type Item, Items, Notice, Panel } from '../ui.tsx';
import { checkWords } from './check-words.ts';
import { type FieldState, listDraftFiles, readFields, readParts, settleDraft, type Site } from './draft.ts';
import { type Publication, type PublicationState, readPublication, RUNNING } from './publication.ts';
import { beginPublish, isCutOff, recoverPublish } from './publish.ts';
import { findVersion, listVersions } from './versions.ts';
import { waitUntilLive } from './wait-until-live.ts';

/** Adds the page on which the owner watches her words go live; its address takes the forms of the overview. */
export function addPublishing(app: Hono, desk: WebsiteDesk, site: Site): void {
  const { DATA_DIR } = desk.env;
  recoverPublish(desk, site.content);
  const before = readPublication(DATA_DIR);
  if (before && UNSEEN.has(before.state) && !isCutOff(DATA_DIR)) waitUntilLive(desk, before.name);
  app.get(PATH, (context) => {
    const last = readPublication(DATA_DIR);
    if (last === undefined || !RUNNING.includes(last.state)) return context.redirect('/desk/website', 303);
    return context.render(<Steps publication={last} />, {
      title: 'Your words are on their way',
      lead: 'Visitors see the site as it was until the last step.',
    });
  });
  app.post(
    PATH,
    handleActions(desk, {
      publish: () => {
        recover(desk, site);
        publishDraft(desk, site);
        return { to: PATH };
      },
      finish: () => {
        recover(desk, site);
        return { to: '/desk/website' };
      },
      'go-back': createAction(z.object({ version: z.string() }), ({ version }) => {
        const words = findVersion(desk.env.DATA_DIR, version);
        if (words === undefined) throw new Error('This version is no longer kept. Choose another one.');
        const { until } = listVersions(desk.env.DATA_DIR).find(({ name }) => name === version)!;
        beginPublish(desk, {
          content: site.content,
          changed: `you went back to what was live until ${formatMoment(until)}`,
          write: (copy) => replaceWords(copy, words),
        });
        return { to: PATH };
      }),
    }),
  );
}

const PATH = '/desk/website/publish';

/** States in which an earlier desk was still asking the live address. */
const UNSEEN = new Set<PublicationState>(['showing', 'written', 'unseen']);

function recover(desk: WebsiteDesk, site: Site): void {
  if (recoverPublish(desk, site.content)) waitUntilLive(desk, readPublication(desk.env.DATA_DIR)!.name);
}

function publishDraft(desk: WebsiteDesk, site: Site): void {
  const fields = readFields(site);
  const changes = fields.filter(({ isChanged }) => isChanged);
  if (changes.length === 0) throw new Error('Everything you wrote is live already.');
  if (changes.some(({ isConflict }) => isConflict)) {
    throw new Error('A file has changed as well. Choose first which words to keep.');
  }
  if (checkWords(site, fields).mistakes.size > 0)
    throw new Error('Something is wrong in your words. Correct it first.');
  const files = listDraftFiles(site, fields);
  beginPublish(desk, {
    content: site.content,
    changed: nameParts(site, changes),
    write: (copy) => {
      for (const { path, bytes } of files) writeFile(join(copy, path), bytes);
    },
    onWritten: () => settleDraft(site, changes),
  });
}

function nameParts(site: Site, changes: FieldState[]): string {
  const keys = new Set(changes.map(({ key }) => key));
  const parts = readParts(site).filter(({ fields }) => fields.some(({ key }) => keys.has(key)));
  return `you changed: ${parts.map(({ title }) => title).join(', ')}`;
}

function writeFile(path: string, bytes: Buffer | undefined): void {
  if (bytes === undefined) return rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
}

function replaceWords(copy: string, words: string): void {
  for (const path of listWordFiles(copy)) rmSync(join(copy, path));
  for (const path of listWordFiles(words)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(words, path), join(copy, path));
  }
}

/** The foot of the changes: what publishing does, and its button. */
export function PublishForm({ isStatic = false }: { isStatic?: boolean }) {
  return (
    <Form className="publish line" action={PATH}>
      <p>
        {isStatic
          ? 'Your words go into your files. Your site shows them when you have committed and pushed them.'
          : 'It takes about ten seconds, and can be undone. Until then visitors see what was live before.'}
      </p>
      <Button kind="filled" action="publish">
        {isStatic ? 'Write into your files' : 'Publish'}
      </Button>
    </Form>
  );
}

const STEPS: [PublicationState, string][] = [
  ['checking', 'Your words are checked'],
  ['making', 'The pages are made'],
  ['showing', 'Your site shows them'],
];

function Steps({ publication: { at, state } }: { publication: Publication }) {
  const reached = STEPS.findIndex(([step]) => step === state);
  const items = STEPS.map(([, title], index): Item => ({
    dot: index < reached ? 'done' : index === reached ? 'waiting' : 'left',
    title,
    details: index < reached ? ['Done'] : index === reached ? ['Some seconds'] : [],
  }));
  return (
    <Panel title="Step by step" note={`Begun at ${formatClock(at)}`} data-renew aria-live="polite">
      <Items items={items} />
      <p className="quiet">
        You may close this page: it goes on. If your machine stops in the middle, the site stays as it was and your
        words stay here.
      </p>
      <p>
        <ButtonLink href={PATH}>Refresh</ButtonLink>
      </p>
    </Panel>
  );
}

/** What became of the last publish; nothing if it is long ago. */
export function LastPublish({ desk }: { desk: WebsiteDesk }) {
  const last = readPublication(desk.env.DATA_DIR);
  if (last === undefined) return null;
  const { state, at, liveAt, reason } = last;
  if (state === 'failed') return <Notice kind="error" text={reason ?? ''} />;
  if (state === 'unseen') {
    return (
      <div className="notice">
        {reason} {isCutOff(desk.env.DATA_DIR) && <FinishForm />}
      </div>
    );
  }
  if (state === 'written') return <ByGit url={desk.env.SITE_URL ?? ''} />;
  if (liveAt === undefined) return <ButtonLink href={PATH}>Your words are on their way</ButtonLink>;
  if (!isRecent(liveAt)) return null;
  const seconds = Math.max(1, Math.round((liveAt - at) / 1000));
  const took = seconds > 120 ? '' : ` It took ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`;
  return <Notice kind="done" text={`Visitors see your words since ${formatClock(liveAt)}.${took}`} />;
}

/** Writes live words into content/, which failed before. */
function FinishForm() {
  return (
    <Form action={PATH}>
      <Button action="finish">Try again</Button>
    </Form>
  );
}

function isRecent(time: number): boolean {
  return Date.now() - time < 3_600_000;
}

/** What is left to do if a host builds the site from Git. */
function ByGit({ url }: { url: string }) {
  return (
    <div className="notice">
      Your words are in your files. Commit and push them, in the project’s folder:
      <pre>
        git add content{'\n'}git commit -m "Change the words of the website"{'\n'}git push
      </pre>
      If your host doesn’t build from Git, type <code>npm run build</code> and upload <code>dist/site</code>. This page
      says so when <a href={url}>{url}</a> shows your words.
    </div>
  );
}

/** The heading of the overview. */
export function describeLive(desk: WebsiteDesk, changes: string | undefined): string {
  const state = readPublication(desk.env.DATA_DIR)?.state;
  if (changes !== undefined) return changes;
  return state === 'written' || state === 'unseen' ? 'Your words are in your files' : 'Everything you wrote is live';
}

/** When something was published last, for the line under the heading. */
export function describeLastPublish(desk: WebsiteDesk): string | undefined {
  const liveAt = readPublication(desk.env.DATA_DIR)?.liveAt;
  return liveAt === undefined ? undefined : `Last published ${formatMoment(liveAt)}.`;
}

/** What was live before, each with a button that goes back to it. */
export function Versions({ desk }: { desk: WebsiteDesk }) {
  const [last, ...older] = listVersions(desk.env.DATA_DIR);
  if (last === undefined) return null;
  return (
    <Panel title="What was live before" className="versions">
      <VersionRow {...last} />
      {older.length > 0 && (
        <details>
          <summary>{older.length === 1 ? 'One older' : `${older.length} older`}</summary>
          {older.map((version) => (
            <VersionRow key={version.name} {...version} />
          ))}
        </details>
      )}
    </Panel>
  );
}

function VersionRow({ name, until, changed }: ReturnType<typeof listVersions>[number]) {
  return (
    <Form className="line" action={PATH}>
      <input type="hidden" name="version" value={name} />
      <p>
        Until {formatMoment(until)}
        <small>Then {changed}</small>
      </p>
      <Button action="go-back" aria-label={`Go back to this: until ${formatMoment(until)}`}>
        Go back to this
      </Button>
    </Form>
  );
}
