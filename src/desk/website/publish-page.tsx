import type { Hono } from 'hono';
import { z } from 'zod';
import { formatClock, formatMoment } from '#newsletter/format.ts';
import { forgetVersion, listVersions, type VersionFacts } from '#publishing/content-versions.ts';
import { createAction, handleActions } from '../handle-forms.ts';
import type { WebsiteDesk } from '../desk-types.ts';
import { Button, ButtonLink, Form, type Item, Items, Notice, Panel } from '../ui.tsx';
import { checkFields } from './check-fields.ts';
import { type FieldState, readFields, readParts, type Site } from './draft.ts';
import { goBack } from './go-back.ts';
import { findStaticHostContent, type OpenSite } from './open-site.ts';
import { beginPublish, nextOverlay, type Publication, type PublicationState, RUNNING } from './publish.ts';
import { writeIntoFiles } from './write-into-files.ts';

/** Adds the page that shows the progress of publishing; the overview's forms are sent to its URL. */
export function addPublishing(app: Hono, desk: WebsiteDesk, open: OpenSite): void {
  app.get(PATH, (context) => {
    const { last } = desk.publishing;
    if (last === undefined || !RUNNING.has(last.state)) {
      return context.redirect(`/desk/website${new URL(context.req.url).search}`, 303);
    }
    return context.render(<Steps publication={last} />, {
      title: 'Publishing your changes',
      lead: 'Visitors see the old version until the last step.',
    });
  });
  app.post(
    PATH,
    handleActions(desk, {
      publish: async (_, context) => {
        const site = await open(context);
        const request = readRequest(site);
        const files = await findStaticHostContent(desk);
        if (files === undefined) void beginPublish(desk, request);
        else {
          await writeIntoFiles(files, nextOverlay(desk, site, request.fields), request);
          desk.publishing.last = { at: Date.now(), state: 'awaiting-deploy' };
        }
        return { to: files === undefined ? PATH : '/desk/website' };
      },
      'go-back': createAction(VERSION_FORM, async ({ version }, context) => {
        await goBack(await open(context), version);
        return { to: '/desk/website', notice: 'Your draft now has that version’s text. Review it before you publish.' };
      }),
      forget: createAction(VERSION_FORM, async ({ version }) => {
        await forgetVersion(desk.store, version);
        return {
          to: '/desk/website',
          notice: 'The version has been deleted. Backups made until now still contain it until they are removed.',
        };
      }),
    }),
  );
}

const PATH = '/desk/website/publish';
const VERSION_FORM = z.object({ version: z.coerce.number().int().positive() });

/** @throws if there is nothing to publish, or the draft has a conflict or a mistake */
function readRequest(site: Site): { site: Site; fields: FieldState[]; changed: string } {
  const fields = readFields(site);
  const changes = fields.filter(({ isChanged }) => isChanged);
  if (changes.length === 0 && Object.keys(site.overlay).length === 0) throw new Error('Your draft has no changes.');
  if (changes.some(({ isConflict }) => isConflict)) {
    throw new Error(
      'Some of this text has been changed elsewhere in the meantime. First choose which version to keep.',
    );
  }
  if (checkFields(site, fields).errors.size > 0) throw new Error('There is a mistake in the text. Correct it first.');
  return { site, fields: changes, changed: nameParts(site, changes) };
}

function nameParts(site: Site, changes: FieldState[]): string {
  const keys = new Set(changes.map(({ key }) => key));
  const parts = readParts(site).filter(({ fields }) => fields.some(({ key }) => keys.has(key)));
  return parts.length === 0 ? 'published again' : `changed: ${parts.map(({ title }) => title).join(', ')}`;
}

type PublishFormProps = { isStatic: boolean; asksAgain: boolean; undrawn: string[] };

/** The Publish button below the changes, with sentences about what it does. */
export function PublishForm({ isStatic, asksAgain, undrawn }: PublishFormProps) {
  return (
    <Form className="publish line" action={PATH}>
      <p>
        {isStatic
          ? 'This saves your changes to your files. Your site shows them once you have committed and pushed them.'
          : 'Publishing takes a few seconds and can be undone. Visitors see the old version until it’s done.'}
        {asksAgain && ' Every visitor will be asked about cookies again, because the question has changed.'}
        {undrawn.length > 0 &&
          ` The pictures in link previews will leave out ${undrawn.join(' ')}, because the site’s fonts don’t have ${undrawn.length === 1 ? 'it' : 'them'}.`}
      </p>
      <Button kind="filled" action="publish">
        {isStatic ? 'Save to your files' : 'Publish'}
      </Button>
    </Form>
  );
}

const STEPS: [PublicationState, string][] = [
  ['checking', 'Checking your text'],
  ['making', 'Building your pages'],
  ['verifying', 'Going live'],
];

function Steps({ publication: { at, state } }: { publication: Publication }) {
  const reached = STEPS.findIndex(([step]) => step === state);
  const items = STEPS.map(([, title], index): Item => ({
    dot: index < reached ? 'done' : index === reached ? 'waiting' : 'left',
    title,
    details: index < reached ? ['Done'] : index === reached ? ['A few seconds'] : [],
  }));
  return (
    <Panel title="Progress" note={`Started at ${formatClock(at)}`} data-renew aria-live="polite">
      <Items items={items} />
      <p className="quiet">
        You can close this page; publishing will continue. If the server stops half-way, your site stays as it was and
        your changes are kept.
      </p>
      <p>
        <ButtonLink href={PATH}>Refresh</ButtonLink>
      </p>
    </Panel>
  );
}

/** The result of the last publish; nothing if it was long ago. */
export function LastPublish({ desk }: { desk: WebsiteDesk }) {
  const { last } = desk.publishing;
  if (last === undefined) return null;
  const { state, at, liveAt, reason } = last;
  if (state === 'failed') return <Notice kind="error" text={reason ?? ''} />;
  if (state === 'unverified') return <div className="notice">{reason}</div>;
  if (state === 'awaiting-deploy') return <ByGit />;
  if (liveAt === undefined) return <ButtonLink href={PATH}>Your changes are being published</ButtonLink>;
  if (!isRecent(liveAt)) return null;
  const seconds = Math.max(1, Math.round((liveAt - at) / 1000));
  const took = seconds > 120 ? '' : ` Publishing took ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`;
  return <Notice kind="done" text={`Your changes have been live since ${formatClock(liveAt)}.${took}`} />;
}

function isRecent(time: number): boolean {
  return Date.now() - time < 3_600_000;
}

/** Explains the remaining step if a host builds the site from Git. */
function ByGit() {
  return (
    <div className="notice">
      Your changes are saved to your files. They go live once you commit and push them in the project’s folder:
      <pre>
        git add content{'\n'}git commit -m "Change the text of the website"{'\n'}git push
      </pre>
      If your host doesn’t build from Git, type <code>npm run build</code> and upload <code>dist/site</code>.
    </div>
  );
}

/** Returns the heading of the overview. */
export function describeLive(
  { publishing }: Pick<WebsiteDesk, 'publishing'>,
  { changes, isStatic, hasOverlay }: { changes: string | undefined; isStatic: boolean; hasOverlay: boolean },
): string {
  const state = publishing.last?.state;
  if (changes !== undefined) return changes;
  if (hasOverlay) return 'Your text is not in your files yet';
  // Only the host knows whether the changes have been pushed.
  if (isStatic || state === 'awaiting-deploy') return 'Your changes are saved to your files';
  return state === 'unverified' || state === 'verifying'
    ? 'Your changes are published'
    : 'Everything you wrote is live';
}

/** Says when the newest version was made by a publish or a deploy, for the line under the heading. */
export async function describeLastPublish({ store }: WebsiteDesk): Promise<string | undefined> {
  const [newest] = await listVersions(store.db);
  if (newest === undefined || newest.number === 1) return undefined;
  const by = newest.made_by === '' ? '' : ` by ${newest.made_by}`;
  return `The latest version is from ${formatMoment(newest.made_at)}${by}.`;
}

/** Previous versions, each with a button that restores it. @param versions newest first; the first one is live */
export function Versions({ versions }: { versions: VersionFacts[] }) {
  const rows = versions.slice(1).map((version, index) => <VersionRow {...version} next={versions[index]!} />);
  if (rows.length === 0) return null;
  return (
    <Panel title="Previous versions" className="versions">
      {rows[0]}
      {rows.length > 1 && (
        <details>
          <summary>{rows.length === 2 ? 'One older version' : `${rows.length - 1} older versions`}</summary>
          {rows.slice(1)}
        </details>
      )}
    </Panel>
  );
}

function VersionRow({ number, next }: VersionFacts & { next: VersionFacts }) {
  const until = formatMoment(next.made_at);
  return (
    <Form className="line" action={PATH}>
      <input type="hidden" name="version" value={number} />
      <p>
        Until {until}
        <small>
          Then {next.changed}
          {next.made_by && ` (${next.made_by})`}
        </small>
      </p>
      <Button action="go-back" aria-label={`Restore this version, until ${until}`}>
        Restore this version
      </Button>
      <Button action="forget" aria-label={`Delete this version, until ${until}`}>
        Delete
      </Button>
    </Form>
  );
}
