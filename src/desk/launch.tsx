import { join } from 'node:path';
import type { Hono } from 'hono';
import { z } from 'zod';
import type { LaunchFinding } from '#launch-check/finding.ts';
import { readLiveUrl } from '#launch-check/check-live-site.ts';
import { checkSite } from '#launch-check/check-site.ts';
import { capitalise, countInWords, formatMoment } from '#newsletter/format.ts';
import { createAction, type FormDesk, handleAction } from './handle-forms.ts';
import type { Desk } from './desk-types.ts';
import { readOwnerValues } from '#newsletter/owner-settings/settings-store.ts';
import { listSources } from '#newsletter/updates/stored-emails.ts';
import { writingPath } from '#newsletter/updates/update-files.ts';
import { readParts } from './website/draft.ts';
import { findForm } from './website/site-parts.ts';
import { noteLaunchCheck } from './first-steps.tsx';
import { runJob } from './jobs.ts';
import { ActionButton, Button, Form, Field, type Item, Items, Panel, State } from './ui.tsx';

/** The last check, kept while the desk is running. @property isLive whether it included the live site */
type Checked = { at: number; findings: LaunchFinding[]; isLive: boolean };

type LaunchDesk = FormDesk &
  Pick<Desk, 'content' | 'shown' | 'jobs' | 'store' | 'secret'> & {
    env: Pick<Desk['env'], 'SITE_URL'>;
    places: Pick<Desk['places'], 'updates'>;
  };

/** Adds the launch check, as a to-do list. */
export function addLaunch(app: Hono, desk: LaunchDesk): void {
  const find: FindForm = ({ field = '' }) => {
    const [, update] = /^updates\/([^.]+)/.exec(field) ?? [];
    if (update !== undefined) return { url: writingPath(update), label: 'Updates' };
    return findForm(readParts({ content: join(desk.shown.folder, 'content'), draft: {} }), field);
  };
  let checked: Checked | undefined;
  let live = desk.env.SITE_URL ?? desk.content.agency.website;
  app.get(PATH, (context) => {
    return context.render(<Work checked={checked} live={live} findForm={find} />, {
      title: checked ? describe(checked) : 'Before you launch',
      eyebrow: (
        <>
          <a href="/desk/website">Website</a>
          {checked && ` · Checked ${formatMoment(checked.at)}`}
        </>
      ),
      lead: checked?.findings.length
        ? 'Work down the list. Each item links to its form, or names the setting, page or file. Publish your changes, then check again.'
        : undefined,
      actions: <ActionButton kind="filled">{checked ? 'Check again' : 'Check now'}</ActionButton>,
    });
  });
  const check = createAction(LAUNCH_FORM, async ({ address }) => {
    // As in browsers, https:// may be left out.
    const url = address === '' || address.includes('://') ? address : `https://${address.trim()}`;
    const origin = url === '' ? undefined : readLiveUrl(url);
    live = origin ?? live;
    return runJob(desk, { kind: 'launch check', title: 'Running the launch check' }, async () => {
      const findings = await runCheck(desk, origin);
      checked = { at: Date.now(), findings, isLive: origin !== undefined };
      const text = findings.filter((each) => findGroup(each) === GROUPS[0]).length;
      await noteLaunchCheck(desk.store, { text, all: findings.length });
      return { to: PATH };
    });
  });
  app.post(PATH, handleAction(desk, check));
}

const PATH = '/desk/website/launch';

/** Without an address, only the content and settings are checked. */
const LAUNCH_FORM = z.object({ address: z.string().default('') });

function describe({ findings, isLive }: Checked): string {
  const count = findings.length;
  if (count === 0) return isLive ? 'Ready to launch' : 'No problems yet; the live site has not been checked';
  return `${capitalise(countInWords(count))} ${count === 1 ? 'thing' : 'things'} to do before you go live`;
}

/** Checks the site that visitors see, with the settings of this server. */
async function runCheck(
  { shown, store, secret, places }: LaunchDesk,
  origin: string | undefined,
): Promise<LaunchFinding[]> {
  const { values } = await readOwnerValues(store.db, secret);
  return checkSite({
    shown: shown.folder,
    content: join(shown.folder, 'content'),
    updates: await listSources(store.db, places.updates),
    variables: { ...values, ...process.env },
    origin,
  });
}

const GROUPS = ['Your text and pictures', 'Settings', 'The site'] as const;

/** A finding is about a URL, a setting or a file. */
function findGroup({ where }: LaunchFinding): (typeof GROUPS)[number] {
  if (/^(\/|https?:)/.test(where)) return 'The site';
  return /^[A-Z_]+$/.test(where) ? 'Settings' : 'Your text and pictures';
}

type FindForm = (finding: LaunchFinding) => ReturnType<typeof findForm>;
type WorkProps = { checked: Checked | undefined; live: string; findForm: FindForm };

function Work({ checked, live, findForm: find }: WorkProps) {
  const byGroup = Map.groupBy(checked?.findings ?? [], findGroup);
  return (
    <div className="side">
      <div>
        {checked === undefined ? (
          <p>Nothing has been checked since the server started. A check takes a few seconds.</p>
        ) : (
          GROUPS.map((title) => (
            <Panel key={title} title={title}>
              <Items
                items={(byGroup.get(title) ?? []).map((finding) => toItem(finding, find(finding)))}
                empty={<State dot="done">No problems</State>}
              />
            </Panel>
          ))
        )}
      </div>
      <Panel title="The live site">
        <Form>
          <Field id="address" label="Address" inputMode="url" required defaultValue={live} />
          <Button>Check the live site</Button>
        </Form>
      </Panel>
    </div>
  );
}

function toItem({ where, problem, advice }: LaunchFinding, form: ReturnType<FindForm>): Item {
  const title = capitalise(problem);
  return {
    dot: 'left',
    title: form ? <a href={form.url}>{title}</a> : title,
    // The live site's content is in a folder that the owner never opens; the file's name is enough.
    details: [form ? form.label : <code>{where.replace(/^.*(?=content\/)/, '')}</code>, advice],
  };
}
