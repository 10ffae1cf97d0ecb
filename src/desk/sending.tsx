import type { Context, Hono } from 'hono';
import type { ReactNode } from 'react';
import { retryUpdate } from '#newsletter/deliveries/queue/retry-deliveries.ts';
import { findUpdateResults, type UpdateResults } from '#newsletter/updates/update-results.ts';
import { describeDropped, findUpdate, readProgress, type UpdateProgress } from '#newsletter/updates/update-progress.ts';
import { cancelUpdate, pauseUpdate, resumeUpdate } from '#newsletter/updates/update-state.ts';
import { describeWaiting } from '#newsletter/updates/waiting-reason.ts';
import { describeSendingTime, readCaps } from '#newsletter/updates/plan-sending.ts';
import { KEPT_MS } from '#newsletter/retention/prune-deliveries.ts';
import { capitalise, formatClock, formatCount, formatMoment, formatPeople } from '#newsletter/format.ts';
import { type Action, handleActions } from './handle-forms.ts';
import type { Desk } from './desk-types.ts';
import { describeProgress } from './describe.ts';
import { Tasks } from './tasks.tsx';
import { ActionButton, Counts, Dot, type DotKind, Panel, Table } from './ui.tsx';

type SendingDesk = Pick<Desk, 'store' | 'env' | 'results' | 'log'>;

/** Adds the page of a queued update, with its progress and what the owner can still do. */
export function addSending(app: Hono, desk: SendingDesk): void {
  const path = '/desk/updates/sent/:id{[0-9a-f-]{36}}';
  app.get(path, async (context) => {
    const progress = await findProgress(desk, context);
    if (progress === undefined) return context.notFound();
    const { subject, state, queued_at } = progress;
    const results = await findUpdateResults(desk.store.db, progress);
    const isSending = state === 'sending';
    const waits = isSending ? await describeWaiting(desk.store.db, progress, readCaps(desk.env)) : undefined;
    return context.render(
      <Progress progress={progress} results={results} pace={waits && describePace(waits, progress, desk)} />,
      {
        title: describeProgress(progress),
        lead: `“${subject}”, queued on ${formatMoment(queued_at)}.${isSending ? ' You can close this page; it isn’t needed for sending.' : ''}`,
      },
    );
  });
  app.post(path, handleActions(desk, createSendingActions(desk)));
}

async function findProgress({ store: { db } }: SendingDesk, context: Context): Promise<UpdateProgress | undefined> {
  const update = await findUpdate(db, context.req.param('id') ?? '');
  return update && readProgress(db, update);
}

/** The action behind each button on the page. */
function createSendingActions({ store, env }: SendingDesk): Record<string, Action> {
  return {
    pause: async (_, { req }) => {
      const id = req.param('id')!;
      const isPaused = await store.transaction((tx) => pauseUpdate(tx, id, 'you paused it'));
      const notice = 'Paused. Emails already handed to the mail server will still arrive.';
      return { notice: isPaused ? notice : 'It is paused already, or has finished.' };
    },
    resume: async (_, { req }) => {
      const state = await resumeUpdate(store, req.param('id')!, readCaps(env), Date.now());
      if (state === undefined) return { notice: 'It is no longer paused.' };
      const what = state === 'scheduled' ? 'It is scheduled again.' : 'Sending has resumed.';
      return { notice: `${what} Nobody will get it twice.` };
    },
    retry: async (_, { req }) => {
      const { retried = 0, state } = (await retryUpdate(store, req.param('id')!, Date.now())) ?? {};
      if (retried === 0) return { notice: 'There is nothing to retry.' };
      const when = state === 'paused' ? 'once you resume' : 'as soon as your sending limits allow';
      return { notice: `The server will retry ${formatPeople(retried)} ${when}.` };
    },
    cancel: async (_, { req }) => {
      const cancelled = await cancelUpdate(store, req.param('id')!, Date.now());
      if (cancelled === undefined) return { notice: 'It has already finished.' };
      const { sent, sending, dropped } = cancelled;
      const notice = `Cancelled. ${formatPeople(sent)} got it; ${formatPeople(dropped)} won’t.`;
      return { notice: notice + describeInFlight(sending) };
    },
  };
}

function describeInFlight(sending: number): string {
  return sending > 0 ? ` It is already on its way to ${formatPeople(sending)}.` : '';
}

/** @param waits why the next emails are waiting; the wait may take longer than the sending itself */
function describePace(waits: string, { waiting }: UpdateProgress, { env }: SendingDesk): ReactNode {
  return (
    <h2>
      {capitalise(waits)}.&ensp;
      <small>
        The rest will take {describeSendingTime(waiting, readCaps(env))} at your sending limits (as of{' '}
        {formatClock(Date.now())}).
      </small>
    </h2>
  );
}

type ProgressProps = { progress: UpdateProgress; results: UpdateResults; pace: ReactNode };

function Progress({ progress, results, pace }: ProgressProps) {
  const { id, state, state_reason, sent, failed, dropped, recipients } = progress;
  // Emails that are being sent count as waiting.
  const waiting = progress.waiting + progress.sending;
  const isOpen = ['queueing', 'scheduled', 'sending', 'paused'].includes(state);
  const pause = {
    title: 'Sending paused',
    cause: `${capitalise(state_reason ?? 'no reason was recorded')}. Nothing more will be sent until you resume, and nobody will get it twice.`,
    action: (
      <ActionButton kind="filled" action="resume">
        Resume sending to {formatCount(waiting)}
      </ActionButton>
    ),
  };
  const isPruned = wasPruned(progress);
  const reached = { dot: 'done', count: sent, label: 'reached' } as const;
  const others = [
    { dot: 'waiting', count: waiting, label: 'waiting' },
    { dot: 'rejected', count: failed, label: 'not delivered' },
    { dot: 'left', count: dropped, label: describeDropped(state) },
    { count: results.unsubscribed, label: 'unsubscribed afterwards' },
  ] as const;
  return (
    <div className="progress" data-renew={state === 'sending' || undefined}>
      <Tasks tasks={state === 'paused' ? [pause] : []} />
      <section className="part">
        <div className="head line">
          {pace}
          {isOpen && <a href={id}>Refresh</a>}
        </div>
        {recipients <= MAX_DOTS ? (
          <div className="sent-dots line" aria-hidden="true">
            {Object.entries({ done: sent, rejected: failed, left: dropped, waiting }).flatMap(([kind, count]) =>
              Array.from({ length: count }, (_, dot) => <Dot key={kind + dot} kind={kind as DotKind} />),
            )}
          </div>
        ) : (
          <svg className="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect width={(100 * (sent + failed + dropped)) / recipients} height="1" />
          </svg>
        )}
        <Counts counts={isPruned ? [reached] : [reached, ...others]} />
        {isPruned && <p className="quiet">After 90 days, only the number of people reached is kept.</p>}
      </section>
      {results.failures.length > 0 && <Failures failures={results.failures} count={progress.failed} />}
      {results.retryable > 0 && ['sending', 'paused', 'sent'].includes(state) && <TryAgain count={results.retryable} />}
      {isOpen && <PauseOrCancel progress={progress} />}
    </div>
  );
}

/** Whether its emails ended so long ago that the other figures would be too low. */
function wasPruned({ finished_at }: UpdateProgress): boolean {
  return finished_at !== null && Date.now() - Date.parse(finished_at) > KEPT_MS;
}

const MAX_DOTS = 400;

type TryAgainProps = { count: number };

/**
 * Offers to retry only emails for which another attempt may help: none that the mailbox rejected, and none that may have
 * arrived.
 */
function TryAgain({ count }: TryAgainProps) {
  return (
    <Panel title="Retry">
      <p>
        For {formatPeople(count)}, it wasn’t accepted in time, or was rejected for a reason other than the mailbox. Any
        others would be rejected again, may have arrived after all, or are no longer wanted.
      </p>
      <ActionButton action="retry">
        {count === 1 ? 'Retry one person' : `Retry ${formatCount(count)} people`}
      </ActionButton>
    </Panel>
  );
}

type FailuresProps = { failures: UpdateResults['failures']; count: number };

function Failures({ failures, count }: FailuresProps) {
  return (
    <Panel title="Not delivered, and why">
      <Table
        className="people"
        columns={['Address', 'Reason']}
        rows={failures.map(({ reason, subscriberId, email }) => [
          <a href={`/desk/people/${subscriberId}`}>{email}</a>,
          capitalise(reason ?? 'no reason was recorded'),
        ])}
      />
      {count > failures.length && <p>and {count - failures.length} more</p>}
    </Panel>
  );
}

type PauseOrCancelProps = { progress: UpdateProgress };

function PauseOrCancel({ progress: { state, sent, waiting, sending } }: PauseOrCancelProps) {
  return (
    <div className="halves">
      {state !== 'paused' && (
        <Panel title="Pause">
          <p>
            Stops after the emails that are going out now. You can resume whenever you like, and nobody will get it
            twice.
          </p>
          <ActionButton action="pause">Pause</ActionButton>
        </Panel>
      )}
      <Panel title="Cancel">
        <p>
          Stops it for good. {formatPeople(waiting)} won’t get it
          {sent > 0 && `; ${formatCount(sent)} already ${sent === 1 ? 'has' : 'have'} it`}.{describeInFlight(sending)}
        </p>
        <details>
          <summary className="button danger">Cancel for good</summary>
          <ActionButton kind="danger" action="cancel">
            Yes, cancel it for good
          </ActionButton>
        </details>
      </Panel>
    </div>
  );
}
