import type { Hono } from 'hono';
import { readSignUpsByWeek } from '#list/sign-ups-by-week.ts';
import { readWaiting, type WaitingKind } from '#mail/queue/unsent.ts';
import { readSummary, type Summary, WEEK_MS } from '#mail/summary/read-summary.ts';
import type { Desk, SiteAnswer } from './desk-types.ts';
import { Needs, Part, showPage, Table } from './frame.tsx';
import { readNeeds } from './needs.tsx';
import { SignUps } from './sign-ups.tsx';
import { capitalise, countInWords, formatClock, formatDate, formatMoment, formatShortMoment } from './words.ts';

/** The things that need the owner, then how the list and the site are doing. */
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
      lead: needs.length === 0 ? describeCalm(lastNeed) : undefined,
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

function describeCalm(lastNeed: string | undefined): string {
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
        <Table className="bars" heads={['Seven days', { number: 'Pages' }, { number: 'Joined' }]}>
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
        </Table>
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
          <Table heads={['What, and why', { number: 'Mails' }]}>
            {waiting.map((each) => (
              <tr key={`${each.kind} ${each.subject}`}>
                <td>
                  {each.subject ?? KINDS[each.kind]}
                  <small>{explainWaiting(each, hourlyCap)}</small>
                </td>
                <td className="number">{each.count}</td>
              </tr>
            ))}
          </Table>
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

function explainWaiting({ updateState, lastError, dueAt }: WaitingKind, hourlyCap: number): string {
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
  summary: { machine, place },
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
    ['List', place],
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
