import type { Kysely } from 'kysely';
import { toIso } from '../database/iso-time.ts';
import { readMetadata, writeMetadata } from '../database/metadata.ts';
import { queueAlert } from '../deliveries/queue/new-delivery.ts';
import type { Store } from '../database/open-store.ts';
import type { Schema, SentUpdate } from '../database/schema.ts';
import { beginScheduled, queueInBatches } from './queue-update.ts';
import { ACTIVE, finishUpdate, missUpdate, pauseUpdate } from './update-state.ts';
import { OPEN_DESK } from '../mails/notices.ts';

/** How late an update may start, in milliseconds, since the server may have been down. */
const MAX_START_MS = 3600_000;

/**
 * Starts scheduled updates that are due, marks those that are too late as missed, and queues the rest of an update if
 * the command that queued it was killed.
 * @returns the ids of the updates to send now
 */
export async function startDueUpdates(store: Store, now: number): Promise<string[]> {
  const sending: string[] = [];
  for (const { id, state, send_at, file, queued_at } of await findUpdates(store, ACTIVE)) {
    const lateMs = now - Date.parse(send_at);
    if (state === 'sending') sending.push(id);
    else if (state === 'queueing') {
      // In the first minute, the command is still queueing them.
      if (now - Date.parse(queued_at) > COMMAND_QUEUES_MS) await queueInBatches(store, id, now);
    } else if (lateMs > MAX_START_MS) await miss(store, id, file, now);
    else if (lateMs >= 0) await beginScheduled(store, id, now);
  }
  return sending;
}

const COMMAND_QUEUES_MS = 60_000;

/** Marks updates as sent if none of their emails is waiting or on its way. */
export async function finishUpdates(store: Store, ids: string[], now: number): Promise<void> {
  for (const id of ids) await store.transaction((tx) => finishUpdate(tx, id, now));
}

/** Records that a server is running. Called once a minute. */
export async function recordRunning(store: Store, now: number): Promise<void> {
  await store.transaction((tx) => writeMetadata(tx, LAST_RUNNING, toIso(now)));
}

const LAST_RUNNING = 'last-running';

/** Whether a server was running in the last two minutes. */
export async function isServerRunning(db: Kysely<Schema>, now: number): Promise<boolean> {
  const lastRunning = await readMetadata(db, LAST_RUNNING);
  return lastRunning !== undefined && now - Date.parse(lastRunning) < RUNNING_MS;
}

/** Twice the interval between two records. */
const RUNNING_MS = 2 * 60_000;

/** Pauses the updates that were being sent, or scheduled, when the backup was made. @returns how many */
export async function pauseRestored(store: Store): Promise<number> {
  const open = await findUpdates(store, ACTIVE);
  for (const { id } of open)
    await pauseUpdate(store.db, id, 'restored from a backup; people may have received it since');
  return open.length;
}

/** Finds updates in these states, oldest first. */
function findUpdates({ db }: Store, states: readonly SentUpdate['state'][]) {
  return db
    .selectFrom('updates')
    .select(['id', 'file', 'state', 'queued_at', 'send_at'])
    .where('state', 'in', states)
    .orderBy('queued_at')
    .execute();
}

async function miss(store: Store, id: string, file: string, now: number): Promise<void> {
  const reason = 'no server was running when it was due';
  await store.transaction(async (tx) => {
    if (!(await missUpdate(tx, id, reason, now))) return;
    const text = `${file} was due to go out, but ${reason}. As far as this list knows, nobody has received it. To send it, ${OPEN_DESK}.\n`;
    await queueAlert(tx, { subject: 'An update was not sent', text }, now);
  });
}
