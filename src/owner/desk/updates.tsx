import type { Hono } from 'hono';
import { listUpdates, readProgress, type UpdateProgress } from '#mail/updates/update-states.ts';
import type { Desk } from './desk-types.ts';
import { Dot, Part, showPage } from './frame.tsx';
import { listUpdateFiles, openDrafts, readSource, toWriting, writingPath } from './update-files.ts';
import { formatDate, formatMoment, people } from './words.ts';

/** Files to go on writing, and updates that were sent. */
export function addUpdates(app: Hono, desk: Desk): void {
  const drafts = openDrafts(desk.places.dataDir);
  app.get('/updates', async (context) => {
    const sent = await listUpdates(desk.store.db);
    const progresses = await Promise.all(sent.slice(0, MAX_SHOWN).map((update) => readProgress(desk.store.db, update)));
    const files = listUpdateFiles(desk.places.updates).map(({ name, changedAt }) => ({
      name,
      changedAt,
      subject: toWriting(readSource(desk.places.updates, name) ?? '').subject || name,
      isSent: sent.some(({ file }) => file === `${name}.md`),
      hasDraft: drafts.read(name) !== undefined,
    }));
    return showPage(context, desk, {
      title: 'Updates',
      section: '/updates',
      actions: (
        <a className="button filled" href="/updates/new">
          Write an update
        </a>
      ),
      body: (
        <div className="halves">
          <Part title="Sent and under way">
            {progresses.length === 0 ? <p>No update has been sent yet.</p> : <Sent progresses={progresses} />}
          </Part>
          <Part title="Written" note={desk.places.updates}>
            {files.length === 0 && <p>Nothing is written yet.</p>}
            <ul className="rows">
              {files.map(({ name, subject, changedAt, isSent, hasDraft }) => (
                <li key={name}>
                  <a href={writingPath(name)}>{subject}</a>
                  <span className="quiet">{hasDraft ? 'Not saved yet' : isSent ? 'Sent' : formatDate(changedAt)}</span>
                </li>
              ))}
            </ul>
          </Part>
        </div>
      ),
    });
  });
}

const MAX_SHOWN = 50;

function Sent({ progresses }: { progresses: UpdateProgress[] }) {
  return (
    <ul className="todo">
      {progresses.map((progress) => (
        <li key={progress.id}>
          <Dot kind={progress.state === 'sent' ? 'done' : progress.state === 'paused' ? 'refused' : 'left'} />
          <div>
            <h3>
              <a href={`/updates/sent/${progress.id}`}>{progress.subject}</a>
            </h3>
            <p className="quiet">{describeState(progress)}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** How an update is, in a sentence. */
export function describeState({ state, sent, recipients, send_at, finished_at }: UpdateProgress): string {
  const reached = `${sent.toLocaleString('en-GB')} of ${people(recipients)} reached`;
  switch (state) {
    case 'scheduled':
      return `Goes to ${people(recipients)} on ${formatMoment(send_at)}`;
    case 'paused':
      return `Paused: ${reached}`;
    case 'cancelled':
      return `Cancelled: ${reached}`;
    case 'missed':
      return 'Not sent: no server was running at its time';
    case 'sent':
      return `Sent ${formatDate(finished_at ?? send_at)}: ${reached}`;
    default:
      return `Under way: ${reached}`;
  }
}
