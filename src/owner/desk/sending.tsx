import type { Context, Hono } from 'hono';
import { retryDeliveries } from '#mail/queue/retry-deliveries.ts';
import { findUpdateResults, type Reader, type TakenBack, type UpdateResults } from '#mail/updates/update-results.ts';
import {
  cancelUpdate,
  listUpdates,
  pauseUpdate,
  readProgress,
  resumeUpdate,
  type UpdateProgress,
} from '#mail/updates/update-states.ts';
import { readCaps, duration } from '../updates/send.ts';
import { sendingTimeMs } from '#mail/updates/sending-time.ts';
import type { Desk } from './desk-types.ts';
import { ActionButton, Dot, Needs, Part, showPage, Table } from './frame.tsx';
import { describeState } from './updates.tsx';
import { capitalise, formatClock, formatMoment, people } from './words.ts';

/** One update from its queueing on: how far it is, and what can still be done. */
export function addSending(app: Hono, desk: Desk): void {
  const path = '/updates/sent/:id{[0-9a-f-]{36}}';
  app.get(path, async (context) => {
    const progress = await findProgress(desk, context);
    return progress === undefined ? context.notFound() : showProgress(context, desk, progress);
  });
  const act = (name: string, change: (id: string, progress: UpdateProgress) => Promise<string>) =>
    app.post(`${path}/${name}`, async (context) => {
      const progress = await findProgress(desk, context);
      if (progress === undefined) return context.notFound();
      return context.redirect(`/updates/sent/${progress.id}?${desk.say(await change(progress.id, progress))}`, 303);
    });
  act('pause', async (id) => {
    const isPaused = await pauseUpdate(desk.store.db, id, 'you paused it');
    return isPaused
      ? 'Paused. Mails that are with the mail server at this moment still arrive.'
      : 'It had ended before.';
  });
  act('resume', async (id) => {
    const resumed = await resumeUpdate(desk.store, id, readCaps(desk.env), Date.now());
    return resumed?.isResumed ? 'It goes on. Nobody gets it twice.' : 'It was not paused any more.';
  });
  act('retry', async (id) => {
    const { retried, paused } = await retryDeliveries(desk.store, id, Date.now());
    return `${people(retried)} will get it ${paused.length > 0 ? 'when it goes on' : 'now'}.`;
  });
  act('cancel', async (id) => {
    const cancelled = await cancelUpdate(desk.store, id, Date.now());
    if (cancelled === undefined) return 'It had ended before.';
    const { sent, sending, dropped } = cancelled;
    const onTheWay = sending > 0 ? ` For ${people(sending)} it is on its way.` : '';
    return `Cancelled. ${people(sent)} had it, ${people(dropped)} will not get it.${onTheWay}`;
  });
}

async function findProgress({ store: { db } }: Desk, context: Context): Promise<UpdateProgress | undefined> {
  const update = (await listUpdates(db)).find(({ id }) => id === context.req.param('id'));
  return update && readProgress(db, update);
}

async function showProgress(context: Context, desk: Desk, progress: UpdateProgress): Promise<Response> {
  const { id, subject, state, state_reason, waiting, recipients } = progress;
  const results = await findUpdateResults(desk.store.db, progress);
  const isOpen = ['queueing', 'scheduled', 'sending', 'paused'].includes(state);
  return showPage(context, desk, {
    title: title(progress),
    section: '/updates',
    eyebrow: <a href="/updates">Updates</a>,
    lead: `“${subject}”, queued on ${formatMoment(progress.queued_at)}.${state === 'sending' ? ' You can close this page: the server goes on.' : ''}`,
    body: (
      <>
        {state === 'paused' && (
          <Needs
            needs={[
              {
                title: 'It waits for you',
                cause: `It stopped: ${state_reason ?? 'no reason was noted'}. Nothing goes out until you say so.`,
                act: (
                  <Act desk={desk} id={id} name="resume" label={`Go on with ${waiting}`} className="button filled" />
                ),
              },
            ]}
          />
        )}
        <section className="part gap" data-renew={state === 'sending' ? 'progress' : undefined}>
          <div className="head tight">
            <h2>{timeLeft(progress, desk)}</h2>
            {isOpen && <a href={`/updates/sent/${id}`}>Look again</a>}
          </div>
          {recipients <= MAX_DOTS ? <Dots results={results} /> : <Share progress={progress} />}
          <Counts progress={progress} results={results} />
        </section>
        {results.takenBack.count > 0 && state !== 'cancelled' && (
          <StillSubscribed desk={desk} id={id} takenBack={results.takenBack} />
        )}
        {results.failures.length > 0 && <Failures failures={results.failures} count={progress.failed} />}
        {isOpen && <Choices desk={desk} progress={progress} />}
      </>
    ),
  });
}

const MAX_DOTS = 400;

function title({ state, sent, failed, dropped, recipients }: UpdateProgress): string {
  const done = sent + failed + dropped;
  if (state === 'paused') return `Paused after ${done} of ${people(recipients)}`;
  if (state === 'scheduled') return `Ready for ${people(recipients)}`;
  if (state === 'sent') return `Sent to ${people(sent)}`;
  if (state === 'cancelled') return `Cancelled after ${people(sent)}`;
  return state === 'missed' ? 'Not sent' : `Sending to ${people(recipients)}`;
}

function timeLeft(progress: UpdateProgress, { env }: Desk): string {
  const { state, waiting } = progress;
  if (state !== 'sending') return describeState(progress);
  const left = duration(sendingTimeMs(waiting, readCaps(env)));
  return `${capitalise(left)} left, at ${env.MAIL_HOURLY_CAP} mails an hour. It is ${formatClock(Date.now())}.`;
}

const DOTS = { sent: 'done', failed: 'refused', dropped: 'left', waiting: 'waiting', sending: 'waiting' } as const;

function Dots({ results: { states } }: { results: UpdateResults }) {
  return (
    <div className="sent-dots" aria-hidden="true">
      {states.map(({ id, state }) => (
        <Dot key={id} kind={DOTS[state]} />
      ))}
    </div>
  );
}

function Share({ progress: { sent, failed, dropped, recipients } }: { progress: UpdateProgress }) {
  return (
    <svg className="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width={(100 * (sent + failed + dropped)) / recipients} height="1" />
    </svg>
  );
}

function Counts({ progress, results }: { progress: UpdateProgress; results: UpdateResults }) {
  const { sent, waiting, failed, dropped, state } = progress;
  const never = state === 'cancelled' || state === 'missed' ? 'do not get it' : 'unsubscribed before their turn';
  return (
    <p className="counts">
      <span className="state">
        <Dot kind="done" /> <b>{sent}</b> reached
      </span>
      <span className="state">
        <Dot kind="waiting" /> <b>{waiting}</b> waiting
      </span>
      <span className="state">
        <Dot kind="refused" /> <b>{failed}</b> refused
      </span>
      <span className="state">
        <Dot kind="left" /> <b>{dropped}</b> {never}
      </span>
      <span>
        <b>{results.unsubscribed}</b> unsubscribed after it
      </span>
    </p>
  );
}

/** Lists the people whose refusals were taken back when the update paused, and lets the owner try them again. */
function StillSubscribed({ desk, id, takenBack }: { desk: Desk; id: string; takenBack: TakenBack }) {
  const { people: readers, count } = takenBack;
  return (
    <section className="part gap">
      <h2>Refused, and still subscribed</h2>
      <p>
        So many mailboxes were refused that the cause may be the sending, not these {people(count)}. The update goes on
        without them unless you try them again.
      </p>
      <ul>
        {readers.map((reader) => (
          <li key={reader.subscriberId}>
            <PersonLink {...reader} />
          </li>
        ))}
        {count > readers.length && <li>and {count - readers.length} more</li>}
      </ul>
      <Act
        desk={desk}
        id={id}
        name="retry"
        label={count === 1 ? 'Try this person again' : `Try these ${count} again`}
      />
    </section>
  );
}

function PersonLink({ subscriberId, address }: Reader) {
  return <a href={`/people/${subscriberId}`}>{address}</a>;
}

function Failures({ failures, count }: { failures: UpdateResults['failures']; count: number }) {
  return (
    <section className="part gap">
      <h2>Not delivered, and why</h2>
      <Table className="people" heads={['Address', 'Reason']}>
        {failures.map(({ reason, ...reader }) => (
          <tr key={reader.subscriberId}>
            <td>
              <PersonLink {...reader} />
            </td>
            <td>{capitalise(reason ?? 'no reason was noted')}</td>
          </tr>
        ))}
      </Table>
      {count > failures.length && <p>and {count - failures.length} more</p>}
    </section>
  );
}

function Choices({ desk, progress: { id, state, sent, waiting } }: { desk: Desk; progress: UpdateProgress }) {
  return (
    <div className="halves">
      {state === 'paused' ? (
        <Part title="Go on">
          <p>Sends to the {waiting} who wait. Nobody gets it twice.</p>
          <Act desk={desk} id={id} name="resume" label={`Go on with ${waiting}`} />
        </Part>
      ) : (
        <Part title="Pause">
          <p>
            Stops after the mails that are going out now. You can go on whenever you like, and nobody gets it twice.
          </p>
          <Act desk={desk} id={id} name="pause" label="Pause" />
        </Part>
      )}
      <Part title="Cancel">
        <p>
          Ends it for good. {people(waiting)} will not get it; the {sent} who have it keep it.
        </p>
        <details>
          <summary>Cancel for good</summary>
          <Act desk={desk} id={id} name="cancel" label="Yes, cancel it for good" className="button danger" />
        </details>
      </Part>
    </div>
  );
}

function Act({ desk, id, name, label, className }: ActProps) {
  return (
    <ActionButton desk={desk} action={`/updates/sent/${id}/${name}`} className={className}>
      {label}
    </ActionButton>
  );
}

type ActProps = { desk: Desk; id: string; name: string; label: string; className?: string };
