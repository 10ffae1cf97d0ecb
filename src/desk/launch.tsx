import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { z } from 'zod';
import { environmentWithoutFile } from '#settings/settings-file.ts';
import type { Finding } from '#launch-check/finding.ts';
import { readLiveUrl } from '#launch-check/check-live-site.ts';
import { capitalise, countInWords, formatMoment } from '#newsletter/format.ts';
import { createAction, type FormDesk, handleAction } from './actions.ts';
import type { Desk } from './desk-types.ts';
import { writingPath } from '#newsletter/updates/update-files.ts';
import { readParts } from './website/draft.ts';
import { findForm } from './website/site-parts.ts';
import { runJob } from './jobs.ts';
import { ActionButton, Button, Form, Field, type Item, Items, Panel, State } from './ui.tsx';

/** The last check, kept while the desk is running. */
type Checked = { at: number; findings: Finding[] };

type LaunchDesk = FormDesk &
  Pick<Desk, 'content' | 'shown' | 'jobs'> & {
    env: Pick<Desk['env'], 'SITE_URL' | 'SMTP_URL'>;
    places: Pick<Desk['places'], 'project'>;
  };

/** The launch check as a to-do list. */
export function addLaunch(app: Hono, desk: LaunchDesk): void {
  const { project } = desk.places;
  const find: FindForm = ({ field = '' }) => {
    const [, update] = /^updates\/([^.]+)/.exec(field) ?? [];
    if (update !== undefined) return { url: writingPath(update), label: 'Updates' };
    return findForm(readParts({ content: join(desk.shown.folder, 'content'), draft: {} }), field);
  };
  let checked: Checked | undefined;
  let live = desk.env.SITE_URL ?? desk.content.agency.website;
  app.get(PATH, (context) => {
    if (project === undefined) {
      return context.render(null, { title: 'Before you launch', lead: describeElsewhere(live) });
    }
    return context.render(<Work findings={checked?.findings} live={live} findForm={find} />, {
      title: checked ? describe(checked.findings) : 'Before you launch',
      eyebrow: (
        <>
          <a href="/desk/website">Website</a>
          {checked && ` · Checked ${formatMoment(checked.at)}`}
        </>
      ),
      lead: checked?.findings.length
        ? 'Work from the top. Each item links to its form, or names the setting. Publish your changes, then check again.'
        : undefined,
      actions: <ActionButton kind="filled">{checked ? 'Check again' : 'Check now'}</ActionButton>,
    });
  });
  const check = createAction(LAUNCH_FORM, async ({ address }) => {
    if (project === undefined) return undefined;
    // As in browsers, https:// may be left out.
    const url = address === '' || address.includes('://') ? address : `https://${address.trim()}`;
    if (url !== '') {
      live = url;
      readLiveUrl(url);
    }
    return runJob(desk.jobs, { kind: 'launch check', title: 'Running the launch check' }, async () => {
      checked = { at: Date.now(), findings: await runCheck(project, url, desk.env) };
      return { to: PATH };
    });
  });
  app.post(PATH, handleAction(desk, check));
}

const PATH = '/desk/website/launch';

/** Without an address, only the words and settings are checked. */
const LAUNCH_FORM = z.object({ address: z.string().default('') });

/** Instructions for a desk that has only the built site, as in a container. */
function describeElsewhere(live: string): string {
  return `This server has only the built site, so the check can’t run here. In a copy of the project on another computer, npm run launch-check -- ${live} checks the live site.`;
}

function describe(findings: Finding[]): string {
  const count = findings.length;
  if (count === 0) return 'Ready to launch';
  return `${capitalise(countInWords(count))} ${count === 1 ? 'thing' : 'things'} before you go live`;
}

/** Runs the command, which builds the site first if its sources are newer. @throws what it printed */
function runCheck(project: string, url: string, { SMTP_URL }: Pick<Desk['env'], 'SMTP_URL'>): Promise<Finding[]> {
  const command = join(project, 'src/launch-check/launch-check.ts');
  const args = [command, '--json', ...(url === '' ? [] : [url])];
  return new Promise((resolve, reject) => {
    // The owner may have changed .env since the desk was opened, and the mail account may be in the settings.
    const env = { ...environmentWithoutFile(), ...(SMTP_URL && { SMTP_URL }) };
    const options = { cwd: project, env };
    execFile(process.execPath, args, options, (_, output, errors) => {
      try {
        resolve((JSON.parse(output) as { findings: Finding[] }).findings);
      } catch {
        reject(new Error(errors.trim() || 'The check ended without a result. Run npm run launch-check to see why.'));
      }
    });
  });
}

const GROUPS = ['Your text and pictures', 'Settings', 'The site'] as const;

/** A finding is at a URL, in a setting, or in a file. */
function findGroup({ where }: Finding): (typeof GROUPS)[number] {
  if (/^(\/|https?:)/.test(where)) return 'The site';
  return /^[A-Z_]+$/.test(where) ? 'Settings' : 'Your text and pictures';
}

type FindForm = (finding: Finding) => ReturnType<typeof findForm>;
type WorkProps = { findings: Finding[] | undefined; live: string; findForm: FindForm };

function Work({ findings, live, findForm: find }: WorkProps) {
  const byGroup = Map.groupBy(findings ?? [], findGroup);
  return (
    <div className="side">
      <div>
        {findings === undefined ? (
          <p>Nothing has been checked since the desk was opened. A check takes a few seconds.</p>
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
          <Field id="address" label="Its address" inputMode="url" required defaultValue={live} />
          <Button>Check the live site</Button>
        </Form>
      </Panel>
    </div>
  );
}

function toItem({ where, problem, advice }: Finding, form: ReturnType<FindForm>): Item {
  const title = capitalise(problem);
  return {
    dot: 'left',
    title: form ? <a href={form.url}>{title}</a> : title,
    details: [form ? form.label : <code>{where}</code>, advice],
  };
}
