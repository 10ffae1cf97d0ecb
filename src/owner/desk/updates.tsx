import type { Hono } from 'hono';
import type { ReactNode } from 'react';
import { listUpdates, readProgress, type UpdateProgress } from '#mail/updates/update-states.ts';
import type { Desk } from './desk-types.ts';
import { ButtonLink, Items, Part, Rows } from './parts.tsx';
import { listSources, NEW, toWriting, writingPath } from './update-files.ts';
import { formatCount, formatDate, formatMoment, people } from './words.ts';

/** Updates to go on writing, and those that were sent. */
export function addUpdates(app: Hono, desk: Desk): void {
  const { updates } = desk.places;
  app.get('/updates', async (context) => {
    const sent = await listUpdates(desk.store.db);
    const progresses = await Promise.all(sent.slice(0, MAX_SHOWN).map((update) => readProgress(desk.store.db, update)));
    const files = listSources(updates);
    const drafts = listSources(desk.drafts);
    const unsaved = drafts.filter(({ name }) => !files.some((file) => file.name === name));
    const written = [...unsaved, ...files].map(({ name, text, changedAt }): [ReactNode, string] => {
      const isSent = sent.some(({ file }) => file === `${name}.md`);
      const isDraft = drafts.some((draft) => draft.name === name);
      const state = isDraft ? 'Not saved yet' : isSent ? 'Sent' : formatDate(changedAt);
      return [
        <a href={writingPath(name)}>{toWriting(text).subject || (name === NEW ? 'No subject yet' : name)}</a>,
        state,
      ];
    });
    return context.render(
      <div className="halves">
        <Part title="Sent and under way">
          <Items
            items={progresses.map((progress) => ({
              dot: progress.state === 'sent' ? 'done' : progress.state === 'paused' ? 'refused' : 'left',
              title: <a href={`/updates/sent/${progress.id}`}>{progress.subject}</a>,
              details: [`${describeState(progress)}, queued on ${formatDate(progress.queued_at)}`],
            }))}
            empty={<p>No update has been sent yet.</p>}
          />
        </Part>
        <Part title="Written" note={updates}>
          {written.length === 0 && <p>Nothing is written yet.</p>}
          <Rows rows={written} />
        </Part>
      </div>,
      {
        title: 'Updates',
        actions: (
          <ButtonLink kind="filled" href={writingPath(NEW)}>
            Write an update
          </ButtonLink>
        ),
      },
    );
  });
}

const MAX_SHOWN = 50;

/** How far an update is, in a sentence. */
export function describeState({ state, sent, failed, dropped, recipients, send_at }: UpdateProgress): string {
  switch (state) {
    case 'scheduled':
      return `Goes to ${people(recipients)} on ${formatMoment(send_at)}`;
    case 'paused':
      return `Paused after ${formatCount(sent + failed + dropped)} of ${people(recipients)}`;
    case 'cancelled':
      return sent === 0 ? 'Cancelled: it went to nobody' : `Cancelled after ${people(sent)}`;
    case 'missed':
      return 'Not sent: no server was running at its time';
    case 'sent':
      return `Sent to ${people(sent)}`;
    default:
      return `Sending to ${people(recipients)}`;
  }
}
