import type { Hono } from 'hono';
import type { ReactNode } from 'react';
import { listUpdates, readProgress } from '#newsletter/updates/update-progress.ts';
import { ENDED } from '#newsletter/updates/update-state.ts';
import { listSources } from '#newsletter/updates/stored-emails.ts';
import { NEW, toWriting, writingPath } from '#newsletter/updates/update-files.ts';
import { capitalise, formatCount, formatDate } from '#newsletter/format.ts';
import type { SentUpdate } from '#newsletter/database/schema.ts';
import type { Desk } from './desk-types.ts';
import { describeProgress } from './describe.ts';
import { ButtonLink, Items, Panel, Rows } from './ui.tsx';

type UpdatesDesk = Pick<Desk, 'store'> & { places: Pick<Desk['places'], 'updates'> };

/** Lists the updates that are being written, and those that have been sent. */
export function addUpdates(app: Hono, desk: UpdatesDesk): void {
  const { updates } = desk.places;
  app.get('/desk/updates', async (context) => {
    const sent = await listUpdates(desk.store.db);
    const progresses = await Promise.all(sent.slice(0, MAX_SHOWN).map((update) => readProgress(desk.store.db, update)));
    const sources = await listSources(desk.store.db, updates);
    const written = sources.map(({ name, text, changedAt }): [ReactNode, string] => {
      const lastSent = sent.find(({ file }) => file === `${name}.md`);
      const state = name === NEW ? 'Unnamed draft' : lastSent ? describeState(lastSent.state) : formatDate(changedAt);
      return [
        <a href={writingPath(name)}>{toWriting(text).subject || (name === NEW ? 'No subject yet' : name)}</a>,
        state,
      ];
    });
    return context.render(
      <div className="halves">
        <Panel title="Sent, in progress or scheduled">
          <Items
            items={progresses.map((progress) => ({
              dot: progress.state === 'sent' ? 'done' : ENDED.includes(progress.state) ? 'left' : 'waiting',
              title: <a href={`/desk/updates/sent/${progress.id}`}>{progress.subject}</a>,
              details: [`${describeProgress(progress)}, queued on ${formatDate(progress.queued_at)}`],
            }))}
            empty={<p>No update has been sent yet.</p>}
          />
          {sent.length > MAX_SHOWN && <p>and {formatCount(sent.length - MAX_SHOWN)} older ones</p>}
        </Panel>
        <Panel title="Everything you’ve written">
          {written.length === 0 && <p>You haven’t written anything yet.</p>}
          <Rows rows={written} />
        </Panel>
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

function describeState(state: SentUpdate['state']): string {
  if (state === 'missed') return 'Not sent';
  return state === 'queueing' ? 'Sending' : capitalise(state);
}
