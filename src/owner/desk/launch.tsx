import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { agency } from 'virtual:content';
import type { Finding } from '../launch-check/finding.ts';
import type { Desk } from './desk-types.ts';
import { ActionButton, ActionForm, Dot, Input, Notice, Part, showPage } from './frame.tsx';
import { capitalise, countInWords, formatMoment } from './words.ts';

/** The last check; kept for as long as the desk runs. */
type Checked = { at: number; address: string | undefined; findings: Finding[] };

/** The launch check as a list to work off. */
export function addLaunch(app: Hono, desk: Desk): void {
  const { project } = desk.places;
  let checked: Checked | undefined;
  let mistake: { address: string; message: string } | undefined;
  app.get('/launch', async (context) =>
    showPage(context, desk, {
      title: checked === undefined ? 'Ready to launch?' : describe(checked.findings),
      section: '/launch',
      eyebrow: checked && `Checked ${formatMoment(checked.at)}`,
      lead:
        project === undefined
          ? NO_PROJECT
          : 'Work from the top. Each says where it is and what to write. Save the file, then check again.',
      actions: project !== undefined && (
        <ActionButton desk={desk} action="/launch" className="button filled">
          {checked === undefined ? 'Check now' : 'Check again'}
        </ActionButton>
      ),
      body: project !== undefined && <Work desk={desk} checked={checked} mistake={mistake} />,
    }),
  );
  app.post('/launch', async (context) => {
    const { address = '' } = (await context.req.parseBody()) as { address?: string };
    mistake = undefined;
    if (address !== '' && URL.parse(address)?.protocol !== 'https:') {
      mistake = { address, message: 'Expected an address that begins with https://' };
    } else if (project !== undefined) {
      try {
        checked = { at: Date.now(), address: address || undefined, findings: await check(project, address) };
      } catch (error) {
        mistake = { address, message: (error as Error).message };
      }
    }
    return context.redirect('/launch', 303);
  });
}

const NO_PROJECT =
  'Your words and pictures are checked where the project is: run npm run desk in its folder, on the machine where you build the site.';

function describe(findings: Finding[]): string {
  const count = findings.filter(({ mayStay }) => !mayStay).length;
  if (count === 0) return 'Ready to launch';
  return `${capitalise(countInWords(count))} ${count === 1 ? 'thing' : 'things'} before you go live`;
}

/** Runs the command, which builds the site first if its sources are newer. @throws what it printed */
function check(project: string, address: string): Promise<Finding[]> {
  const words = [
    join(project, 'src/owner/launch-check/launch-check.ts'),
    '--json',
    ...(address === '' ? [] : [address]),
  ];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, words, { cwd: project, maxBuffer: MAX_OUTPUT }, (_, output, errors) => {
      try {
        resolve((JSON.parse(output) as { findings: Finding[] }).findings);
      } catch {
        reject(new Error(errors.trim() || 'The check ended without an answer. Run npm run launch-check to see why.'));
      }
    });
  });
}

/** In bytes. */
const MAX_OUTPUT = 10_000_000;

const GROUPS: { title: string; has: (where: string) => boolean }[] = [
  { title: 'Your words and pictures', has: (where) => where.startsWith('content/') },
  { title: 'Settings', has: (where) => /^[A-Z_]+$/.test(where) },
  { title: 'The site', has: () => true },
];

function Work({
  desk,
  checked,
  mistake,
}: {
  desk: Desk;
  checked: Checked | undefined;
  mistake: { address: string; message: string } | undefined;
}) {
  const groups = Map.groupBy(checked?.findings ?? [], ({ where }) => GROUPS.find(({ has }) => has(where))?.title);
  return (
    <div className="side">
      <div>
        {mistake !== undefined && <Notice kind="error" text={mistake.message} />}
        {checked === undefined && <p>Nothing has been checked since the desk was opened. It takes some seconds.</p>}
        {GROUPS.map(({ title }) => {
          const findings = groups.get(title) ?? [];
          return (
            checked !== undefined && (
              <Part key={title} title={title}>
                {findings.length === 0 ? (
                  <p className="state">
                    <Dot kind="done" /> In order
                  </p>
                ) : (
                  <ul className="todo">
                    {findings.map((finding) => (
                      <Item key={`${finding.where} ${finding.problem}`} finding={finding} />
                    ))}
                  </ul>
                )}
              </Part>
            )
          );
        })}
      </div>
      <Part title="The live site">
        <ActionForm desk={desk} action="/launch">
          <Input
            id="address"
            label="Its address"
            type="url"
            required
            defaultValue={mistake?.address ?? checked?.address ?? desk.env.SITE_URL ?? agency.website}
          />
          <button className="button" type="submit">
            Check the live site
          </button>
        </ActionForm>
      </Part>
    </div>
  );
}

function Item({ finding: { where, problem, advice, mayStay } }: { finding: Finding }) {
  return (
    <li>
      <Dot kind="left" />
      <div>
        <h3>{capitalise(problem)}</h3>
        <p>
          <code>{where}</code>
          {mayStay && ' – your choice'}
        </p>
        <p>{advice}</p>
      </div>
    </li>
  );
}
