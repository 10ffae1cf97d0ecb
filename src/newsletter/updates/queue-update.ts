import { randomUUIDv7 } from 'node:crypto';
import type { Transaction } from 'kysely';
import { repeatInBatches } from '../database/batches.ts';
import { toIso } from '../database/iso-time.ts';
import { writeMetadata } from '../database/metadata.ts';
import { GIVE_UP_AFTER_MS, createDelivery } from '../deliveries/queue/new-delivery.ts';
import type { Store } from '../database/open-store.ts';
import type { Schema } from '../database/schema.ts';
import type { MailTemplate } from '../mails/mail-template.ts';
import { type AudienceQuery, countAudience, findEarlier, selectAudience } from './audience.ts';
import { sendingTimeMs, type SendingCaps } from '../deliveries/queue/mail-limits.ts';
import { finishQueueing, lockUpdate } from './update-state.ts';

type NewUpdate = AudienceQuery & {
  template: MailTemplate;
  /** Its text as it was written; kept with it. */
  source?: string;
  /** The names of its stored pictures, which can't be deleted from then on. */
  pictures?: string[];
  expected: number;
  sendAt: number;
  caps: SendingCaps;
};

/**
 * Queues an update: one delivery for each recipient. The recipients are fixed from now on, and queued in batches to
 * keep others from waiting. Nothing goes out before all are queued. If the command is killed, a server queues the rest.
 * @param update.expected how many people were confirmed
 * @param update.sendAt when it may go out, in milliseconds since 1970
 * @param update.caps decide how long a long list has until its mails fail
 * @returns the update's id
 * @throws if not exactly `expected` people would get it, or another command queued it meanwhile; then nothing is queued
 */
export async function queueUpdate(store: Store, update: NewUpdate, now: number): Promise<string> {
  const { file, expected } = update;
  // Counted before the transaction: on SQLite all other writers wait for it.
  const earlier = await findEarlier(store.db, update);
  const { last } = await selectAudience(store.db, update, earlier)
    .select((select) => select.fn.max('subscribers.id').as('last'))
    .executeTakeFirstOrThrow();
  const { total, waiting, alreadySent } = await countAudience(store.db, update);
  // Some recipients have no delivery yet.
  const isQueueing = earlier.some(
    ({ state, paused_from }) => state === 'queueing' || (state === 'paused' && paused_from === 'queueing'),
  );
  if (isQueueing || (total === 0 && waiting + alreadySent > 0)) {
    throw new Error(`${file} is queued already: ${alreadySent} had it, ${waiting} waiting. Nothing more was queued.`);
  }
  if (total !== expected) {
    throw new Error(`${total} people would get this now, not ${expected}. Nothing was queued.`);
  }
  const id = await store.transaction(async (tx) => {
    // One command queues at a time. A second one sees what the first did, and starts again.
    await writeMetadata(tx, 'queueing-lock', toIso(now));
    const isFirst = (await findEarlier(tx, update)).length === earlier.length;
    return isFirst ? insertUpdate(tx, update, last ?? '', now) : undefined;
  });
  if (id === undefined) return queueUpdate(store, update, now);
  await queueInBatches(store, id, now);
  return id;
}

async function insertUpdate(
  tx: Transaction<Schema>,
  { file, contentHash, roles, template, source = '', pictures = [], expected, sendAt, caps }: NewUpdate,
  lastSubscriberId: string,
  now: number,
): Promise<string> {
  const id = randomUUIDv7();
  await tx
    .insertInto('updates')
    .values({
      id,
      file,
      content_hash: contentHash,
      subject: template.subject,
      html: template.html,
      text: template.text,
      source,
      roles: roles === undefined ? null : JSON.stringify(roles),
      last_subscriber_id: lastSubscriberId,
      recipients: expected,
      state: 'queueing',
      paused_from: null,
      state_reason: null,
      queued_at: toIso(now),
      send_at: toIso(sendAt),
      give_up_at: toIso(sendAt + GIVE_UP_AFTER_MS + sendingTimeMs(expected, caps)),
      resumed_at: null,
      finished_at: null,
    })
    .execute();
  for (const picture of pictures) await tx.insertInto('update_pictures').values({ update_id: id, picture }).execute();
  return id;
}

/** Queues the rest of an update, then starts it. Several processes may do so at once. */
export async function queueInBatches(store: Store, id: string, now: number): Promise<void> {
  await repeatInBatches(() => store.transaction((tx) => queueBatch(tx, id, now)));
}

/** So few that others wait only some milliseconds. */
const BATCH = 500;

/** @returns how many people it queued; 0 once all are */
async function queueBatch(tx: Transaction<Schema>, id: string, now: number): Promise<number> {
  const update = await lockUpdate(tx, id);
  if (update?.state !== 'queueing') return 0;
  // For max() PostgreSQL would read all rows of the update until it has statistics.
  const last = await tx
    .selectFrom('deliveries')
    .select('subscriber_id')
    .where('update_id', '=', id)
    .orderBy('subscriber_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const query = {
    file: update.file,
    contentHash: update.content_hash,
    roles: update.roles === null ? undefined : JSON.parse(update.roles),
  };
  const earlier = (await findEarlier(tx, query)).filter((other) => other.id !== id);
  const people = selectAudience(tx, query, earlier)
    .where('subscribers.id', '>', last?.subscriber_id ?? '')
    .where('subscribers.id', '<=', update.last_subscriber_id)
    .orderBy('subscribers.id')
    .limit(BATCH);
  const delivery = {
    ...createDelivery('update', null, {}, now),
    update_id: id,
    due_at: update.send_at,
    give_up_at: update.give_up_at,
  };
  const { id: newId, subscriber_id: _, ...shared } = delivery;
  const columns = Object.keys(shared) as (keyof typeof shared)[];
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('deliveries')
    .columns(['id', 'subscriber_id', ...columns])
    .expression(
      people.select(({ eb, fn, lit, val }) => [
        // A UUIDv7 of the time of this batch and the random part of the person's id, which nobody can guess.
        eb(val(newId.slice(0, 14)), '||', fn<string>('substr', ['subscribers.id', lit(15)])).as('id'),
        'subscribers.id as subscriber_id',
        ...columns.map((column) => val(shared[column]).as(column)),
      ]),
    )
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows) return Number(numInsertedOrUpdatedRows);
  await finishQueueing(tx, update, now);
  return 0;
}
