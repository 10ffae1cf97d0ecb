import type { Kysely, Transaction } from 'kysely';
import { GIVE_UP_AFTER_MS, newDelivery } from '#store/new-delivery.ts';
import { iso } from '#store/iso-time.ts';
import { insertRows } from '#store/insert-rows.ts';
import type { Store } from '#store/open-store.ts';
import type { Schema, SentUpdate } from '#store/schema.ts';
import { countReaders } from './audience.ts';

/** How far an update has come. */
export type UpdateProgress = SentUpdate & Record<'sent' | 'waiting' | 'failed' | 'dropped', number>;

/** How late an update may begin after its scheduled time, in milliseconds: a server may have been down. */
export const LATEST_START_MS = 3600_000;

/** All updates, the newest first. */
export async function listUpdates(db: Kysely<Schema>): Promise<SentUpdate[]> {
  return db.selectFrom('updates').selectAll().orderBy('queued_at', 'desc').execute();
}

export async function readProgress(db: Kysely<Schema>, update: SentUpdate): Promise<UpdateProgress> {
  const counts = await db
    .selectFrom('deliveries')
    .select((select) => ['state', select.fn.countAll<number | string>().as('count')])
    .where('update_id', '=', update.id)
    .groupBy('state')
    .execute();
  const count = (state: string) => Number(counts.find((row) => row.state === state)?.count ?? 0);
  return {
    ...update,
    sent: count('sent') + (await countReaders(db, [update.id])),
    waiting: count('waiting'),
    failed: count('failed'),
    dropped: count('dropped'),
  };
}

/**
 * Stops an update until it is resumed. Mails that are with the mail server at this moment still arrive.
 * @param reason shown to the owner
 * @returns whether it was under way or scheduled
 */
export async function pauseUpdate(db: Kysely<Schema>, id: string, reason: string): Promise<boolean> {
  const paused = await db
    .updateTable('updates')
    .set({ state: 'paused', state_reason: reason })
    .where('id', '=', id)
    .where('state', 'in', ['scheduled', 'sending'])
    .returning('id')
    .executeTakeFirst();
  return paused !== undefined;
}

/**
 * Goes on with a paused update: with the people who have not had it, at once or at its time.
 * @param now milliseconds since 1970
 * @returns whether it was paused
 */
export async function resumeUpdate(store: Store, id: string, hourlyCap: number, now: number): Promise<boolean> {
  return store.transaction(async (tx) => {
    const update = await tx.selectFrom('updates').selectAll().where('id', '=', id).executeTakeFirst();
    if (update?.state !== 'paused') return false;
    const sendAt = Math.max(now, Date.parse(update.send_at));
    await tx
      .updateTable('updates')
      .set({ state: sendAt > now ? 'scheduled' : 'sending', state_reason: null, resumed_at: iso(now) })
      .where('id', '=', id)
      .execute();
    await tx
      .updateTable('deliveries')
      .set({ give_up_at: iso(sendAt + GIVE_UP_AFTER_MS + (update.recipients / hourlyCap) * 3600_000) })
      .where('update_id', '=', id)
      .where('state', '=', 'waiting')
      .execute();
    return true;
  });
}

/** Ends an update for good: whoever has not had it gets nothing. @returns whether it had not ended before */
export async function cancelUpdate(store: Store, id: string, now: number): Promise<boolean> {
  return store.transaction((tx) => endUpdate(tx, id, { state: 'cancelled', state_reason: null }, now));
}

/**
 * Begins scheduled updates whose time has come, ends those whose time has passed by too much, and those that have gone
 * out to everybody.
 * @returns ids of the updates that are to be sent now
 */
export async function startDueUpdates(store: Store, now: number): Promise<string[]> {
  const open = await store.db
    .selectFrom('updates')
    .select(['id', 'state', 'send_at', 'file'])
    .where('state', 'in', ['scheduled', 'sending'])
    .orderBy('queued_at')
    .execute();
  const sending = open.filter(({ state }) => state === 'sending').map(({ id }) => id);
  for (const { id, send_at, file } of open.filter(({ state }) => state === 'scheduled')) {
    const late = now - Date.parse(send_at);
    if (late < 0) continue;
    if (late > LATEST_START_MS) await missUpdate(store, id, file, now);
    else if (await beginUpdate(store.db, id)) sending.push(id);
  }
  return sending;
}

/** Marks an update as sent when nothing of it waits any more. */
export async function finishUpdate(store: Store, id: string, now: number): Promise<void> {
  await store.db
    .updateTable('updates')
    .set({ state: 'sent', finished_at: iso(now) })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('deliveries')
            .select('deliveries.id')
            .where('deliveries.state', '=', 'waiting')
            .where('deliveries.kind', '=', 'update')
            .where('deliveries.update_id', '=', id),
        ),
      ),
    )
    .execute();
}

/** Pauses updates that are under way, and tells the owner why. @returns ids of those that were */
export async function pauseAndTell(
  store: Store,
  tx: Transaction<Schema>,
  ids: string[],
  reason: string,
  now: number,
): Promise<string[]> {
  const paused: string[] = [];
  for (const id of ids) if (await pauseUpdate(tx, id, reason)) paused.push(id);
  if (paused.length > 0) {
    const text = `${reason}\n\nNothing more goes out until you write: npm run updates -- resume\n`;
    await insertRows(store, tx, 'deliveries', [
      newDelivery('alert', null, { subject: 'The sending of your update is paused', text }, now),
    ]);
  }
  return paused;
}

/**
 * Pauses updates that were being sent when the store was last used, where that is long ago: a server that starts from a
 * backup or a snapshot cannot know who has had them since. To be called when a server starts.
 * @returns lines for the log
 */
export async function pauseLeftUpdates(store: Store, now: number): Promise<string[]> {
  const sending = await store.db.selectFrom('updates').selectAll().where('state', '=', 'sending').execute();
  const lines: string[] = [];
  for (const update of sending) {
    const { last } = await store.db
      .selectFrom('deliveries')
      .select((select) => select.fn.max('finished_at').as('last'))
      .where('update_id', '=', update.id)
      .executeTakeFirstOrThrow();
    const times = [update.send_at, update.queued_at, update.resumed_at, last].flatMap((time) => time ?? []);
    const idle = now - Math.max(...times.map((time) => Date.parse(time)));
    if (idle < LONGEST_IDLE_MS) continue;
    const reason = `the server was away for ${Math.round(idle / 3600_000)} hours while it was being sent; if it was started from a backup or a snapshot, people may have had it since`;
    const paused = await store.transaction((tx) => pauseAndTell(store, tx, [update.id], reason, now));
    if (paused.length > 0) lines.push(`${update.file} is paused: ${reason}. See: npm run updates -- status`);
  }
  return lines;
}

/** Longer than an update pauses by itself for the hourly cap, in milliseconds. */
const LONGEST_IDLE_MS = 2 * 3600_000;

/** Pauses what a backup was about to send. @returns how many updates */
export async function pauseRestored(store: Store): Promise<number> {
  const open = await store.db
    .selectFrom('updates')
    .select('id')
    .where('state', 'in', ['scheduled', 'sending'])
    .execute();
  for (const { id } of open) await pauseUpdate(store.db, id, 'restored from a backup; people may have had it since');
  return open.length;
}

async function beginUpdate(db: Kysely<Schema>, id: string): Promise<boolean> {
  const begun = await db
    .updateTable('updates')
    .set({ state: 'sending' })
    .where('id', '=', id)
    .where('state', '=', 'scheduled')
    .returning('id')
    .executeTakeFirst();
  return begun !== undefined;
}

async function missUpdate(store: Store, id: string, file: string, now: number): Promise<void> {
  const reason = 'no server was running at its time';
  await store.transaction(async (tx) => {
    if (!(await endUpdate(tx, id, { state: 'missed', state_reason: reason }, now))) return;
    const text = `${file} was to go out, but ${reason}. As far as this list knows, it has gone to nobody. To send it: npm run updates -- send ${file}\n`;
    await insertRows(store, tx, 'deliveries', [
      newDelivery('alert', null, { subject: 'An update was not sent', text }, now),
    ]);
  });
}

async function endUpdate(
  tx: Transaction<Schema>,
  id: string,
  end: Pick<SentUpdate, 'state' | 'state_reason'>,
  now: number,
): Promise<boolean> {
  const ended = await tx
    .updateTable('updates')
    .set({ ...end, finished_at: iso(now) })
    .where('id', '=', id)
    .where('state', 'in', ['scheduled', 'sending', 'paused'])
    .returning('id')
    .executeTakeFirst();
  if (ended === undefined) return false;
  await tx
    .updateTable('deliveries')
    .set({ state: 'dropped', finished_at: iso(now) })
    .where('update_id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
  return true;
}
