import type { Hono } from 'hono';
import { readSignUpsByWeek, type WeekOfSignUps } from '#newsletter/subscribers/sign-ups-by-week.ts';
import { countUnsent } from '#newsletter/deliveries/unsent.ts';
import { findNeeds, type Need as ListNeed } from '#newsletter/weekly-mail/find-needs.ts';
import { readReport, type Report, WEEK_MS } from '#newsletter/weekly-mail/read-report.ts';
import { readLastBackup } from '#newsletter/database/last-backup.ts';
import { NEW, writingPath } from '#commands/updates/update-files.ts';
import {
  capitalise,
  countInWords,
  format,
  formatCount,
  formatDate,
  formatMoment,
  formatShortMoment,
} from '#commands/format.ts';
import type { Desk } from './desk-types.ts';
import { ButtonLink, Dot, type Need, Needs, Part, Rows, Table } from './parts.tsx';
import type { SiteAnswer } from './site-answer.ts';

/** Lists the tasks that need the owner, then shows how the list and the site are doing. */
export function addToday(app: Hono, desk: Desk): void {
  app.get('/', async (context) => {
    const now = Date.now();
    const { db } = desk.store;
    const report = await readReport(desk.store, { from: now - WEEK_MS, to: now });
    const site = await desk.askSite();
    const needs = (await findNeeds(desk.store, desk.env, now)).map(addButton);
    if (site.problem !== undefined) needs.unshift(describeSilence(site));
    const isCalm = needs.length === 0;
    return context.render(
      <>
        <Needs needs={needs} />
        <div className="thirds">
          <SignUps weeks={await readSignUpsByWeek(db, now)} />
          <TheList report={report} />
          <Sites pageViews={report.pageViews} />
          <Server desk={desk} waiting={(await countUnsent(desk.store)).waiting} lastBackup={await readLastBackup(db)} />
        </div>
      </>,
      {
        title: isCalm
          ? 'Nothing needs you'
          : `${capitalise(countInWords(needs.length))} ${needs.length === 1 ? 'thing needs' : 'things need'} you`,
        eyebrow: formatMoment(now),
        lead: isCalm ? 'Everything went out, everybody is backed up, and your site is up.' : undefined,
      },
    );
  });
}

function addButton({ kind, title, cause, id }: ListNeed): Need {
  const act = kind === 'update' ? link(`/updates/sent/${id}`, 'See why') : link(...BUTTONS[kind]);
  return { title, cause, act };
}

/** The page that helps with a need, and the label of its button. */
const BUTTONS: Record<Exclude<ListNeed['kind'], 'update'>, [href: string, label: string]> = {
  'mail-server': ['/deliveries', 'See what waits'],
  'bounce-mailbox': ['/', 'Look again'],
  failed: ['/deliveries', 'See each one'],
  backup: ['/backup', 'Make a backup'],
};

function describeSilence({ url, problem }: SiteAnswer): Need {
  return {
    title: 'Your site does not answer',
    cause: `${problem} at ${url}. Start it as you did when it went live; its log says what is wrong.`,
    act: link(url, 'Try it yourself'),
  };
}

function link(href: string, label: string) {
  return (
    <ButtonLink kind="filled" href={href}>
      {label}
    </ButtonLink>
  );
}

type SignUpsProps = { weeks: WeekOfSignUps[] };

/** Each dot is a person, unless a week has too many to count by eye. */
function SignUps({ weeks }: SignUpsProps) {
  const most = Math.max(...weeks.map(({ count }) => count));
  const title = 'Sign-ups by week';
  if (most === 0) {
    return (
      <Part className="wide" title={title}>
        <p className="quiet">Nobody has signed up in the last {countInWords(weeks.length)} weeks.</p>
      </Part>
    );
  }
  const areDots = most <= MAX_DOTS;
  const nameWeek = ({ from }: WeekOfSignUps) =>
    from === weeks.at(-1)?.from ? 'This week' : format({ day: 'numeric', month: 'short' }, from);
  return (
    <Part className="wide" title={title} note={areDots && 'Each dot is one person'}>
      <div className="weeks" aria-hidden="true">
        {weeks.map((week) => (
          <div key={week.from}>
            <b className={week.count === 0 ? 'none' : undefined}>{week.count}</b>
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

type TheListProps = { report: Report };

function TheList({ report: { people: counts, changes, erasures } }: TheListProps) {
  const { subscribed, pending, unsubscribed, undeliverable } = counts;
  return (
    <Part title="The list">
      <p className="figure">
        <b>{formatCount(subscribed)}</b>
        <span>
          {subscribed === 1 ? 'person gets' : 'people get'} your updates,
          <br />
          {formatCount(changes.joined)} new and {formatCount(changes.left)} unsubscribed in seven days
        </span>
      </p>
      <Rows
        rows={[
          [<a href="/people?state=pending">Not confirmed yet</a>, pending],
          [<a href="/people?state=unsubscribed">Unsubscribed</a>, unsubscribed],
          [<a href="/people?state=undeliverable">Email does not reach them</a>, undeliverable],
        ]}
      />
      {erasures && <p className="quiet">{erasures}</p>}
      <p>
        <ButtonLink href={writingPath(NEW)}>Write an update</ButtonLink>
      </p>
    </Part>
  );
}

type SitesProps = { pageViews: Report['pageViews'] };

function Sites({ pageViews: { sites } }: SitesProps) {
  const most = Math.max(1, ...sites.map(({ views }) => views));
  return (
    <Part className="wide" title="Where they came from">
      <Table
        className="bars"
        columns={['Seven days', 'Page views']}
        right={1}
        rows={sites.map(({ name, views }) => [
          <>
            {name || 'Typed in, or from an email'}
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <rect width={(100 * views) / most} height="1" />
            </svg>
          </>,
          views,
        ])}
        empty="No page views in seven days."
      />
    </Part>
  );
}

type ServerProps = { desk: Desk; waiting: number; lastBackup: string | undefined };

function Server({ desk: { store, env }, waiting, lastBackup }: ServerProps) {
  return (
    <Part title="Emails and server">
      <Rows
        rows={[
          [<a href="/deliveries">Waiting to go out</a>, formatCount(waiting)],
          [
            'Emails',
            env.SMTP_URL
              ? `At most ${formatCount(env.MAIL_HOURLY_CAP)} an hour`
              : 'Written into files: SMTP_URL is not set',
          ],
          ['Last backup', lastBackup === undefined ? 'None yet' : formatShortMoment(lastBackup)],
          ['List', store.place],
        ]}
      />
    </Part>
  );
}
