import type { Hono } from 'hono';
import type { ReactNode } from 'react';
import { readSignUpsByWeek, type WeekOfSignUps } from '#list/sign-ups-by-week.ts';
import { listUnsent, readWaiting, type WaitingKind } from '#mail/queue/read-waiting.ts';
import { findNeeds } from '#mail/summary/describe-summary.ts';
import { readSummary, type Summary, WEEK_MS } from '#mail/summary/read-summary.ts';
import { listUpdates, readProgress, type UpdateProgress } from '#mail/updates/update-states.ts';
import type { Desk, SiteAnswer } from './desk-types.ts';
import { type Need, Needs, Part, showPage } from './frame.tsx';
import {
  capitalise,
  countInWords,
  format,
  formatDate,
  formatMoment,
  formatClock,
  formatShortMoment,
  people,
} from './words.ts';

/** What needs her, then how the list and the site are doing. */
export function addToday(app: Hono, desk: Desk): void {
  app.get('/', async (context) => {
    const now = Date.now();
    const summary = await readSummary(desk, { from: now - WEEK_MS, to: now }, now);
    const site = await desk.askSite();
    const needs = await readNeeds(desk, summary, site);
    const lastNeed = await readLastNeed(desk);
    return showPage(context, desk, {
      title:
        needs.length === 0
          ? 'Nothing needs you'
          : `${capitalise(countInWords(needs.length))} ${needs.length === 1 ? 'thing needs' : 'things need'} you`,
      section: '/',
      eyebrow: formatMoment(now),
      lead: needs.length === 0 ? calm(lastNeed) : undefined,
      body: (
        <>
          <Needs needs={needs} />
          <div className="thirds">
            <SignUps weeks={await readSignUpsByWeek(desk.store.db, now)} />
            <TheList summary={summary} />
            <Origins visits={summary.visits} />
            <Waiting waiting={await readWaiting(desk.store.db)} hourlyCap={desk.env.MAIL_HOURLY_CAP} />
            <Machine
              summary={summary}
              site={site}
              hourlyCap={desk.env.MAIL_HOURLY_CAP}
              hasMailServer={desk.env.SMTP_URL !== undefined}
            />
          </div>
        </>
      ),
    });
  });
}

function calm(lastNeed: string | undefined): string {
  const since = lastNeed === undefined ? '' : ` The last time anything needed you was ${formatMoment(lastNeed)}.`;
  return `Everything went out, everybody is backed up, and your site is up.${since}`;
}

/** When the owner was last alerted, as an ISO time. */
async function readLastNeed({ store }: Desk): Promise<string | undefined> {
  const { at } = await store.db
    .selectFrom('deliveries')
    .select((select) => select.fn.max<string | null>('queued_at').as('at'))
    .where('kind', '=', 'alert')
    .executeTakeFirstOrThrow();
  return at ?? undefined;
}

async function readNeeds({ store }: Desk, summary: Summary, site: SiteAnswer): Promise<Need[]> {
  const paused = (await listUpdates(store.db)).filter(({ state }) => state === 'paused');
  const failed = (await listUnsent(store.db)).filter(({ state }) => state === 'failed').length;
  const progresses = await Promise.all(paused.map((update) => readProgress(store.db, update)));
  return [
    ...progresses.map(describePaused),
    ...(site.problem === undefined ? [] : [describeSilence(site)]),
    ...findNeeds(summary)
      // Those who refused an update are on its own page.
      .filter(({ need }) => need !== 'failed' || failed > 0)
      .map(({ need, sentence }) => NEEDS[need](summary, sentence, failed)),
  ];
}

function describePaused({ id, subject, state_reason, waiting }: UpdateProgress): Need {
  return {
    title: 'Your update is paused',
    cause: `“${subject}” stopped: ${state_reason ?? 'nobody knows why'}. ${people(waiting)} still ${waiting === 1 ? 'waits' : 'wait'} for it.`,
    act: <ButtonLink href={`/updates/sent/${id}`}>See why</ButtonLink>,
  };
}

function describeSilence({ url, problem }: SiteAnswer): Need {
  return {
    title: 'Your site does not answer',
    cause: `${problem} at ${url}. Start it with npm start, or docker compose up --detach; its log says what is wrong.`,
    act: <ButtonLink href={url}>Try it yourself</ButtonLink>,
  };
}

type NeedName = ReturnType<typeof findNeeds>[number]['need'];

const NEEDS: Record<NeedName, (summary: Summary, sentence: string, failed: number) => Need> = {
  'mail-server': (_, sentence) => ({
    title: 'Your mail server lets nobody in',
    cause: sentence,
    act: <ButtonLink href="/deliveries">See what waits</ButtonLink>,
  }),
  failed: (_, _sentence, failed) => ({
    title: failed === 1 ? 'A mail could not be delivered' : `${failed} mails could not be delivered`,
    cause: 'They were given up after several tries. Each says why, and can be tried again.',
    act: <ButtonLink href="/deliveries">See each one</ButtonLink>,
  }),
  retention: ({ retention }) => ({
    title: 'Nobody is being erased',
    cause: `Your privacy policy lets you keep nobody longer than two years. ${capitalise(retention.doubt ?? '')}, which is unusual: is the clock right?`,
    act: <ButtonLink href="/people/leaving">See who would go</ButtonLink>,
  }),
  backup: ({ machine, people: counts }) => ({
    title: machine.lastBackupAt === undefined ? 'No backup yet' : `No backup since ${formatDate(machine.lastBackupAt)}`,
    cause: `If this machine breaks today, you lose ${machine.lastBackupAt === undefined ? people(Object.values(counts).reduce((sum, count) => sum + count, 0)) : 'what came since'}. Making one takes a few seconds.`,
    act: <ButtonLink href="/backup">Make a backup</ButtonLink>,
  }),
  disk: (_, sentence) => ({
    title: 'The disk is nearly full',
    cause: sentence,
    act: <ButtonLink href="/backup">See backups</ButtonLink>,
  }),
  certificate: (_, sentence) => ({
    title: 'Your certificate',
    cause: sentence,
    act: <ButtonLink href="/launch">Check the site</ButtonLink>,
  }),
  clock: (_, sentence) => ({
    title: 'Two clocks differ',
    cause: sentence,
    act: <ButtonLink href="/">Look again</ButtonLink>,
  }),
};

function ButtonLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className="button filled" href={href}>
      {children}
    </a>
  );
}

/** Each dot is a person, unless a week has too many to be counted by eye. */
function SignUps({ weeks }: { weeks: WeekOfSignUps[] }) {
  const most = Math.max(...weeks.map(({ count }) => count));
  const areDots = most <= MAX_DOTS;
  const name = (week: WeekOfSignUps, index: number) =>
    index === weeks.length - 1 ? 'This week' : format({ day: 'numeric', month: 'short' }, week.from);
  return (
    <section className="part wide">
      <h2>Sign-ups by week {areDots && <small>Each dot is one person</small>}</h2>
      <div className="weeks" aria-hidden="true">
        {weeks.map((week, index) => (
          <div key={week.from}>
            <b>{week.count}</b>
            {areDots ? (
              <span className="dots">
                {Array.from({ length: week.count }, (_, dot) => (
                  <i key={dot} className="dot done" />
                ))}
              </span>
            ) : (
              <svg viewBox="0 0 10 100" width="26" height="120" preserveAspectRatio="none">
                <rect x="0" y={100 - (100 * week.count) / most} width="10" height={(100 * week.count) / most} />
              </svg>
            )}
            <small>{name(week, index)}</small>
          </div>
        ))}
      </div>
      <details>
        <summary>The same as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Week from</th>
              <th scope="col" className="number">
                Sign-ups
              </th>
            </tr>
          </thead>
          <tbody>
            {weeks.map((week) => (
              <tr key={week.from}>
                <td>{formatDate(week.from)}</td>
                <td className="number">{week.count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

const MAX_DOTS = 18;

function TheList({ summary: { people: counts, history } }: { summary: Summary }) {
  const grown = counts.subscribed - (history.at(-2)?.people ?? 0);
  const states = [
    ['Not confirmed yet', 'pending'],
    ['Unsubscribed', 'unsubscribed'],
    ['Mail does not reach them', 'undeliverable'],
  ] as const;
  return (
    <Part title="The list">
      <p className="figure">
        <b>{counts.subscribed.toLocaleString('en-GB')}</b>
        <span>
          {counts.subscribed === 1 ? 'person gets' : 'people get'} your updates,
          <br />
          {grown === 0 ? 'as many as' : `${Math.abs(grown)} ${grown > 0 ? 'more' : 'fewer'} than`} a week ago
        </span>
      </p>
      <ul className="rows">
        {states.map(([label, state]) => (
          <li key={state}>
            <a href={`/people?state=${state}`}>{label}</a>
            <span>{counts[state]}</span>
          </li>
        ))}
      </ul>
      <p>
        <a className="button" href="/updates/new">
          Write an update
        </a>
      </p>
    </Part>
  );
}

function Origins({ visits }: { visits: Summary['visits'] }) {
  const rows = visits.by.referrer;
  const most = Math.max(1, ...rows.map(({ shown }) => shown));
  return (
    <Part title="Where they came from">
      {rows.length === 0 ? (
        <p className="quiet">
          {visits.uncounted === 'off'
            ? 'Visits are not counted: COUNT_VISITS=false.'
            : 'Nobody has been counted in seven days.'}
        </p>
      ) : (
        <table className="bars">
          <thead>
            <tr>
              <th scope="col">Seven days</th>
              <th scope="col" className="number">
                Pages
              </th>
              <th scope="col" className="number">
                Joined
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, shown, signUps }) => (
              <tr key={name}>
                <td>
                  {name === '' ? 'Typed in, or from a mail' : name === 'others' ? 'Others' : name}
                  <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
                    <rect width={(100 * shown) / most} height="1" />
                  </svg>
                </td>
                <td className="number">{shown}</td>
                <td className="number">{signUps === 0 ? '–' : signUps}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Part>
  );
}

function Waiting({ waiting, hourlyCap }: { waiting: WaitingKind[]; hourlyCap: number }) {
  return (
    <Part title="Waiting to go out">
      {waiting.length === 0 ? (
        <p className="quiet">Nothing waits.</p>
      ) : (
        <>
          <table>
            <thead>
              <tr>
                <th scope="col">What, and why</th>
                <th scope="col" className="number">
                  Mails
                </th>
              </tr>
            </thead>
            <tbody>
              {waiting.map((each) => (
                <tr key={`${each.kind} ${each.subject}`}>
                  <td>
                    {each.subject ?? KINDS[each.kind]}
                    <small>{why(each, hourlyCap)}</small>
                  </td>
                  <td className="number">{each.count}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p>
            <a className="quiet" href="/deliveries">
              See each one
            </a>
          </p>
        </>
      )}
    </Part>
  );
}

function why({ updateState, lastError, dueAt }: WaitingKind, hourlyCap: number): string {
  if (updateState === 'paused') return 'Paused; it waits for you';
  const isLater = Date.parse(dueAt) > Date.now();
  if (lastError !== null)
    return `“${lastError}”; ${isLater ? `next try ${formatShortMoment(dueAt)}` : 'tried again now'}`;
  return isLater ? `Goes out ${formatShortMoment(dueAt)}` : `On its way, at most ${hourlyCap} mails an hour`;
}

/** Each kind of delivery in the owner's words. */
export const KINDS: Record<WaitingKind['kind'], string> = {
  welcome: 'Welcome mails',
  confirmation: 'Confirmation mails',
  update: 'Your update',
  notice: 'Notices to you',
  alert: 'Alerts to you',
  summary: 'Your weekly summary',
  'unsubscribe-notice': 'Notices to you',
  'sheet-row': 'Rows of your sheet',
  'sheet-unsubscribe': 'Marks in your sheet',
  'sheet-erasure': 'Erasures in your sheet',
};

function Machine({
  summary: { machine },
  site,
  hourlyCap,
  hasMailServer,
}: {
  summary: Summary;
  site: SiteAnswer;
  hourlyCap: number;
  hasMailServer: boolean;
}) {
  const { disk, lastBackupAt, certificate } = machine;
  const gigabytes = (bytes: number) => Math.round(bytes / 1e9);
  const rows: [string, string][] = [
    [
      'Site',
      site.problem === undefined
        ? `Up, asked at ${formatClock(site.at)}`
        : `${site.problem}, asked at ${formatClock(site.at)}`,
    ],
    ['Last backup', lastBackupAt === undefined ? 'None yet' : formatShortMoment(lastBackupAt)],
    ...(certificate === undefined
      ? []
      : [
          [
            'Certificate',
            'problem' in certificate ? 'Could not be read' : `Until ${formatDate(certificate.endsAt)}`,
          ] as [string, string],
        ]),
    ['Disk', `${gigabytes(disk.free)} of ${gigabytes(disk.total)} GB free`],
    ['Mails', hasMailServer ? `At most ${hourlyCap} an hour` : 'Written into files: SMTP_URL is not set'],
  ];
  return (
    <Part title="Site and server">
      <dl className="rows">
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Part>
  );
}
