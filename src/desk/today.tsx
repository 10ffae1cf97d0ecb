import type { Hono } from 'hono';
import { readLastPurge } from '#newsletter/retention/check-clock.ts';
import { readSignUpsByWeek, type WeekOfSignUps } from '#newsletter/subscribers/sign-ups-by-week.ts';
import { DELIVERY_KINDS } from '#newsletter/deliveries/queue/delivery-kinds.ts';
import { DELIVERY_STATES } from '#newsletter/deliveries/queue/delivery-state.ts';
import { readWaiting, type WaitingKind } from '#newsletter/deliveries/queue/unsent.ts';
import { findOwnerTasks, type OwnerTask } from '#newsletter/weekly-mail/find-owner-tasks.ts';
import { readWeek, type WeekReport, WEEK_MS } from '#newsletter/weekly-mail/read-week.ts';
import { readLastBackup } from '#newsletter/backup/last-backup.ts';
import { NEW, writingPath } from '#newsletter/updates/update-files.ts';
import {
  capitalise,
  countInWords,
  format,
  formatCount,
  formatDate,
  formatMoment,
  formatShortMoment,
} from '#newsletter/format.ts';
import { endFlood } from '#newsletter/subscribers/sign-up-flood.ts';
import { type Action, handleActions } from './handle-forms.ts';
import type { Desk } from './desk-types.ts';
import { FirstSteps, findFirstSteps } from './first-steps.tsx';
import { KINDS } from './describe.ts';
import { type Task, Tasks } from './tasks.tsx';
import { ActionButton, ButtonLink, Dot, Panel, Rows, Table } from './ui.tsx';

type TodayDesk = Pick<Desk, 'store' | 'env' | 'results' | 'log'>;

/** Lists what needs the owner's attention, then shows how the list and the site are doing. */
export function addToday(app: Hono, desk: TodayDesk): void {
  app.get('/desk', async (context) => {
    const now = Date.now();
    const { db } = desk.store;
    const report = await readWeek(desk.store, { from: now - WEEK_MS, to: now });
    const tasks = (await findOwnerTasks(desk.store, desk.env, now)).map(addButton);
    const steps = await findFirstSteps(desk);
    const isCalm = tasks.length === 0;
    return context.render(
      <>
        <FirstSteps steps={steps} />
        <Tasks tasks={tasks} />
        <div className="thirds">
          <SignUps weeks={await readSignUpsByWeek(db, now)} />
          <TheList report={report} />
          <Sites pageViews={report.pageViews} />
          <Waiting waiting={await readWaiting(db)} hourlyCap={desk.env.MAIL_HOURLY_CAP} />
          <Machine desk={desk} lastBackup={await readLastBackup(db)} lastPurge={await readLastPurge(db)} />
        </div>
      </>,
      {
        title: isCalm ? describeNothing(steps.length) : describeTasks(tasks.length),
        eyebrow: formatMoment(now),
        lead: isCalm ? await describeCalm(desk) : undefined,
      },
    );
  });
  app.post('/desk', handleActions(desk, createTodayActions(desk)));
}

/** The action behind the button of a task. */
function createTodayActions({ store }: TodayDesk): Record<string, Action> {
  return {
    welcome: async () => {
      await endFlood(store, Date.now());
      return { notice: 'New sign-ups no longer have to confirm because of this alert.' };
    },
  };
}

function describeNothing(steps: number): string {
  return steps === 0 ? 'Nothing needs your attention' : 'Finish your first steps';
}

function describeTasks(count: number): string {
  return `${capitalise(countInWords(count))} ${count === 1 ? 'thing needs' : 'things need'} your attention`;
}

async function describeCalm({ store }: TodayDesk): Promise<string> {
  const { alertedAt } = await store.db
    .selectFrom('deliveries')
    .select((select) => select.fn.max<string | null>('queued_at').as('alertedAt'))
    .where('state', 'in', DELIVERY_STATES)
    .where('kind', '=', 'alert')
    .executeTakeFirstOrThrow();
  const since = alertedAt === null ? '' : ` The last alert was on ${formatMoment(alertedAt)}.`;
  return `There is no failed email to retry, and your list is backed up.${since}`;
}

function addButton({ kind, title, cause, id }: OwnerTask): Task {
  if (kind === 'flood')
    return { title, cause, action: <ActionButton action="welcome">These sign-ups are real</ActionButton> };
  const action = kind === 'update' ? link(`/desk/updates/sent/${id}`, 'See why') : link(...BUTTONS[kind]);
  return { title, cause, action };
}

/** The page that helps with a task, and the label of its button. */
const BUTTONS: Record<Exclude<OwnerTask['kind'], 'update' | 'flood'>, [href: string, label: string]> = {
  'mail-server': ['/desk/deliveries', 'See what’s waiting'],
  'bounce-mailbox': ['/desk', 'Refresh'],
  reports: ['/desk/reports', 'Review the reports'],
  sheet: ['/desk/people', 'See your list'],
  failed: ['/desk/deliveries', 'See each one'],
  backup: ['/desk/backup', 'Make a backup'],
};

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
      <Panel className="wide" title={title}>
        <p className="quiet">Nobody has signed up in the last {countInWords(weeks.length)} weeks.</p>
      </Panel>
    );
  }
  const areDots = most <= MAX_DOTS;
  const nameWeek = ({ from }: WeekOfSignUps) =>
    from === weeks.at(-1)?.from ? 'This week' : format({ day: 'numeric', month: 'short' }, from);
  return (
    <Panel className="wide" title={title} note={areDots && 'Each dot is one person'}>
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
        <summary>Show as a table</summary>
        <Table
          columns={['Week beginning', 'Sign-ups']}
          right={1}
          rows={weeks.map(({ from, count }) => [formatDate(from), count])}
        />
      </details>
    </Panel>
  );
}

const MAX_DOTS = 18;

type TheListProps = { report: WeekReport };

function TheList({ report: { people: counts, changes, erasures, decoys } }: TheListProps) {
  const { subscribed, pending, unsubscribed, undeliverable } = counts;
  return (
    <Panel title="The list">
      <p className="figure">
        <b>{formatCount(subscribed)}</b>
        <span>
          {subscribed === 1 ? 'person gets' : 'people get'} your updates,
          <br />
          {formatCount(changes.joined)} signed up and {formatCount(changes.left)} unsubscribed in the last seven days
        </span>
      </p>
      <Rows
        rows={[
          [<a href="/desk/people?state=pending">Not confirmed yet</a>, pending],
          [<a href="/desk/people?state=unsubscribed">Unsubscribed</a>, unsubscribed],
          [<a href="/desk/people?state=undeliverable">Undeliverable</a>, undeliverable],
        ]}
      />
      {erasures && <p className="quiet">{erasures}</p>}
      {decoys && <p className="quiet">{decoys}</p>}
      <p>
        <ButtonLink href={writingPath(NEW)}>Write an update</ButtonLink>
      </p>
    </Panel>
  );
}

type SitesProps = { pageViews: WeekReport['pageViews'] };

function Sites({ pageViews: { sites } }: SitesProps) {
  const most = Math.max(1, ...sites.map(({ views }) => views));
  return (
    <Panel title="Where visitors came from">
      <Table
        className="bars"
        columns={['Last seven days', 'Page views']}
        right={1}
        rows={sites.map(({ name, views }) => [
          <>
            {name || 'Direct, or from an email'}
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <rect width={(100 * views) / most} height="1" />
            </svg>
          </>,
          views,
        ])}
        empty="No page views in the last seven days."
      />
    </Panel>
  );
}

type WaitingProps = { waiting: WaitingKind[]; hourlyCap: number };

function Waiting({ waiting, hourlyCap }: WaitingProps) {
  return (
    <Panel title="Waiting to go out">
      <Table
        columns={['Item and reason', 'Number']}
        right={1}
        rows={waiting.map((each) => [
          <>
            {each.subject ?? KINDS[each.kind]}
            <small>{explainWaiting(each, hourlyCap)}</small>
          </>,
          each.count,
        ])}
        empty="Nothing is waiting."
      />
      {waiting.some(({ kind }) => kind !== 'update') && (
        <p>
          <a className="quiet" href="/desk/deliveries">
            See each one
          </a>
        </p>
      )}
    </Panel>
  );
}

function explainWaiting({ kind, updateState, lastError, dueAt }: WaitingKind, hourlyCap: number): string {
  if (updateState === 'paused') return 'Paused until you resume it';
  const due = Date.parse(dueAt) > Date.now() ? formatShortMoment(dueAt) : undefined;
  if (lastError !== null) return `“${lastError}”; ${due === undefined ? 'retrying now' : `next attempt ${due}`}`;
  if (due !== undefined) return `Goes out ${due}`;
  const isEmail = DELIVERY_KINDS[kind].recipient !== 'sheet';
  return isEmail ? `On its way, at most ${formatCount(hourlyCap)} emails an hour` : 'On its way';
}

type MachineProps = { desk: TodayDesk; lastBackup: string | undefined; lastPurge: string | undefined };

function Machine({ desk: { store, env }, lastBackup, lastPurge }: MachineProps) {
  return (
    <Panel title="Site and server">
      <Rows
        rows={[
          ['Database', store.place],
          ['Last backup', lastBackup === undefined ? 'None yet' : formatShortMoment(lastBackup)],
          ['Last deletion of old data', lastPurge === undefined ? 'Not yet' : formatShortMoment(lastPurge)],
          [
            'Emails',
            env.SMTP_URL
              ? `At most ${formatCount(env.MAIL_HOURLY_CAP)} an hour`
              : 'Written to files, because no mail account is set up',
          ],
        ]}
      />
    </Panel>
  );
}
