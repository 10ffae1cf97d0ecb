import type { Hono } from 'hono';
import { readSignUpsByWeek, type WeekOfSignUps } from '#list/sign-ups-by-week.ts';
import { listUnsent, readWaiting, type WaitingKind } from '#mail/queue/unsent.ts';
import { findNeeds, type Need as SummaryNeed } from '#mail/summary/describe-summary.ts';
import { readSummary, type Summary, WEEK_MS } from '#mail/summary/read-summary.ts';
import { listUpdates, readProgress, type UpdateProgress } from '#mail/updates/update-states.ts';
import { NEW, writingPath } from '../updates/update-files.ts';
import {
  capitalise,
  countInWords,
  format,
  formatClock,
  formatCount,
  formatDate,
  formatMoment,
  formatShortMoment,
  people,
} from '../command/words.ts';
import type { Desk } from './desk-types.ts';
import { KINDS } from './labels.ts';
import { ButtonLink, Dot, type Need, Needs, Part, Rows, Table } from './parts.tsx';
import type { SiteAnswer } from './site-answer.ts';

/** The things that need the owner, then how the list and the site are doing. */
export function addToday(app: Hono, desk: Desk): void {
  app.get('/', async (context) => {
    const now = Date.now();
    const { db } = desk.store;
    const summary = await readSummary(desk, { from: now - WEEK_MS, to: now }, now);
    const site = await desk.askSite();
    const needs = await readNeeds(desk, summary, site);
    const isCalm = needs.length === 0;
    return context.render(
      <>
        <Needs needs={needs} />
        <div className="thirds">
          <SignUps weeks={await readSignUpsByWeek(db, now)} />
          <TheList summary={summary} />
          <Origins visits={summary.visits} />
          <Waiting waiting={await readWaiting(db)} hourlyCap={desk.env.MAIL_HOURLY_CAP} />
          <Machine summary={summary} site={site} env={desk.env} />
        </div>
      </>,
      {
        title: isCalm
          ? 'Nothing needs you'
          : `${capitalise(countInWords(needs.length))} ${needs.length === 1 ? 'thing needs' : 'things need'} you`,
        eyebrow: formatMoment(now),
        lead: isCalm ? await describeCalm(desk) : undefined,
      },
    );
  });
}

async function describeCalm({ store }: Desk): Promise<string> {
  const { alertedAt } = await store.db
    .selectFrom('deliveries')
    .select((select) => select.fn.max<string | null>('queued_at').as('alertedAt'))
    .where('kind', '=', 'alert')
    .executeTakeFirstOrThrow();
  const since = alertedAt === null ? '' : ` The last time anything needed you was ${formatMoment(alertedAt)}.`;
  return `Everything went out, everybody is backed up, and your site is up.${since}`;
}

/** Everything that waits for the owner, each with its cause and one button. */
async function readNeeds({ store }: Desk, summary: Summary, site: SiteAnswer): Promise<Need[]> {
  const paused = (await listUpdates(store.db)).filter(({ state }) => state === 'paused');
  const hasFailed = (await listUnsent(store.db)).some(({ state }) => state === 'failed');
  const progresses = await Promise.all(paused.map((update) => readProgress(store.db, update)));
  return [
    ...progresses.map(describePaused),
    ...(site.problem === undefined ? [] : [describeSilence(site)]),
    ...findNeeds(summary)
      // Those who refused an update are on its own page.
      .filter(({ need }) => need !== 'failed' || hasFailed)
      .map(({ need, title, cause }) => ({ title, cause, act: link(...BUTTONS[need]) })),
  ];
}

/** The page that helps with a need, and the words of its button. */
const BUTTONS: Record<SummaryNeed['need'], [href: string, words: string]> = {
  'mail-server': ['/deliveries', 'See what waits'],
  failed: ['/deliveries', 'See each one'],
  disk: ['/backup', 'See backups'],
  backup: ['/backup', 'Make a backup'],
  certificate: ['/launch', 'Check the site'],
  clock: ['/', 'Look again'],
};

function describePaused({ id, subject, state_reason, waiting, sending }: UpdateProgress): Need {
  const left = waiting + sending;
  return {
    title: 'Your update is paused',
    cause: `“${subject}” stopped: ${state_reason ?? 'no reason was noted'}. ${people(left)} still ${left === 1 ? 'waits' : 'wait'} for it.`,
    act: link(`/updates/sent/${id}`, 'See why'),
  };
}

function describeSilence({ url, problem }: SiteAnswer): Need {
  return {
    title: 'Your site does not answer',
    cause: `${problem} at ${url}. Start it as you did when it went live; its log says what is wrong.`,
    act: link(url, 'Try it yourself'),
  };
}

function link(href: string, words: string) {
  return (
    <ButtonLink kind="filled" href={href}>
      {words}
    </ButtonLink>
  );
}

/** Each dot is a person, unless a week has too many to count by eye. */
function SignUps({ weeks }: { weeks: WeekOfSignUps[] }) {
  const most = Math.max(...weeks.map(({ count }) => count));
  const areDots = most <= MAX_DOTS;
  const nameWeek = ({ from }: WeekOfSignUps) =>
    from === weeks.at(-1)?.from ? 'This week' : format({ day: 'numeric', month: 'short' }, from);
  return (
    <Part className="wide" title="Sign-ups by week" note={areDots && 'Each dot is one person'}>
      <div className="weeks" aria-hidden="true">
        {weeks.map((week) => (
          <div key={week.from}>
            <b>{week.count}</b>
            {areDots ? (
              <span className="dots">
                {Array.from({ length: week.count }, (_, dot) => (
                  <Dot key={dot} kind="done" />
                ))}
              </span>
            ) : (
              <svg viewBox="0 0 10 100" width="26" height="120" preserveAspectRatio="none">
                <rect y={100 - (100 * week.count) / most} width="10" height={(100 * week.count) / most} />
              </svg>
            )}
            <small>{nameWeek(week)}</small>
          </div>
        ))}
      </div>
      <details>
        <summary>The same as a table</summary>
        <Table
          columns={['Week from', 'Sign-ups']}
          right={1}
          rows={weeks.map(({ from, count }) => [formatDate(from), count])}
        />
      </details>
    </Part>
  );
}

const MAX_DOTS = 18;

function TheList({ summary: { people: counts, history } }: { summary: Summary }) {
  const { subscribed, pending, unsubscribed, undeliverable } = counts;
  const grown = subscribed - (history.at(-2)?.people ?? 0);
  return (
    <Part title="The list">
      <p className="figure">
        <b>{formatCount(subscribed)}</b>
        <span>
          {subscribed === 1 ? 'person gets' : 'people get'} your updates,
          <br />
          {grown === 0 ? 'as many as' : `${Math.abs(grown)} ${grown > 0 ? 'more' : 'fewer'} than`} a week ago
        </span>
      </p>
      <Rows
        rows={[
          [<a href="/people?state=pending">Not confirmed yet</a>, pending],
          [<a href="/people?state=unsubscribed">Unsubscribed</a>, unsubscribed],
          [<a href="/people?state=undeliverable">Email does not reach them</a>, undeliverable],
        ]}
      />
      <p>
        <ButtonLink href={writingPath(NEW)}>Write an update</ButtonLink>
      </p>
    </Part>
  );
}

function Origins({ visits: { by, uncounted } }: { visits: Summary['visits'] }) {
  const most = Math.max(1, ...by.referrer.map(({ shown }) => shown));
  const isOff = uncounted === 'off';
  return (
    <Part title="Where they came from">
      <Table
        className="bars"
        columns={['Seven days', 'Pages', 'Joined']}
        right={2}
        rows={by.referrer.map(({ name, shown, signUps }) => [
          <>
            {name === '' ? 'Typed in, or from an email' : name === 'others' ? 'Others' : name}
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <rect width={(100 * shown) / most} height="1" />
            </svg>
          </>,
          shown,
          signUps === 0 ? '–' : signUps,
        ])}
        empty={isOff ? 'Visits are not counted: COUNT_VISITS=false.' : 'Nobody has been counted in seven days.'}
      />
    </Part>
  );
}

function Waiting({ waiting, hourlyCap }: { waiting: WaitingKind[]; hourlyCap: number }) {
  return (
    <Part title="Waiting to go out">
      <Table
        columns={['What, and why', 'Emails']}
        right={1}
        rows={waiting.map((each) => [
          <>
            {each.subject ?? KINDS[each.kind]}
            <small>{explainWaiting(each, hourlyCap)}</small>
          </>,
          each.count,
        ])}
        empty="Nothing waits."
      />
      {waiting.some(({ kind }) => kind !== 'update') && (
        <p>
          <a className="quiet" href="/deliveries">
            See each one
          </a>
        </p>
      )}
    </Part>
  );
}

function explainWaiting({ updateState, lastError, dueAt }: WaitingKind, hourlyCap: number): string {
  if (updateState === 'paused') return 'Paused; it waits for you';
  const due = Date.parse(dueAt) > Date.now() ? formatShortMoment(dueAt) : undefined;
  if (lastError !== null) return `“${lastError}”; ${due === undefined ? 'tried again now' : `next try ${due}`}`;
  return due === undefined ? `On its way, at most ${formatCount(hourlyCap)} emails an hour` : `Goes out ${due}`;
}

function Machine({ summary, site, env }: { summary: Summary; site: SiteAnswer; env: Desk['env'] }) {
  const { disk, lastBackupAt, certificate } = summary.machine;
  const { lastPurgedAt } = summary;
  const gigabytes = (bytes: number) => Math.round(bytes / 1e9);
  return (
    <Part title="Site and server">
      <Rows
        rows={[
          ['List', summary.place],
          ['Site', `${site.problem ?? 'Up'}, asked at ${formatClock(site.at)}`],
          ['Last backup', lastBackupAt === undefined ? 'None yet' : formatShortMoment(lastBackupAt)],
          ['Erasing', lastPurgedAt === undefined ? 'Not yet' : `Last on ${formatShortMoment(lastPurgedAt)}`],
          ...(certificate ? [describeCertificate(certificate)] : []),
          ['Disk', `${gigabytes(disk.free)} of ${gigabytes(disk.total)} GB free`],
          [
            'Emails',
            env.SMTP_URL
              ? `At most ${formatCount(env.MAIL_HOURLY_CAP)} an hour`
              : 'Written into files: SMTP_URL is not set',
          ],
        ]}
      />
    </Part>
  );
}

function describeCertificate(certificate: NonNullable<Summary['machine']['certificate']>): [string, string] {
  return ['Certificate', 'problem' in certificate ? 'Could not be read' : `Until ${formatDate(certificate.endsAt)}`];
}
