import { randomUUIDv7 } from 'node:crypto';
import type { ExpressionBuilder, QueryCreator, Transaction } from 'kysely';
import { repeatInBatches } from '../database/batches.ts';
import { toIso } from '../database/iso-time.ts';
import { writeMetadata } from '../database/metadata.ts';
import { GIVE_UP_AFTER_MS, createDelivery } from '../deliveries/queue/new-delivery.ts';
import type { Store } from '../database/open-store.ts';
import type { Schema, SentUpdate } from '../database/schema.ts';
import type { MailTemplate } from '../mails/mail-template.ts';
import { type AudienceQuery, countAudience, type Earlier, findEarlier, selectAudience } from './audience.ts';
import { estimateSendingMs, type SendingCaps } from '../deliveries/queue/mail-limits.ts';
import { beginUpdate, finishQueueing, lockUpdate, missUpdate } from './update-state.ts';

type NewUpdate = AudienceQuery & {
  template: MailTemplate;
  /** The source text, which is stored with the update. */
  source?: string;
  /** The names of its stored pictures, which can't be deleted once the update is queued. */
  pictures?: string[];
  expected: number;
  sendAt: number;
  caps: SendingCaps;
};

/**
 * Queues an update. If it is sent now, a delivery is queued for each recipient, in batches so that others needn't wait.
 * Nothing goes out until all are queued; if the process is killed, a server queues the rest. If it is sent later, its
 * recipients are determined then.
 * @param update.expected the number of people that the owner confirmed
 * @param update.sendAt when it may go out, in milliseconds since 1970
 * @param update.caps the sending limits: the lower they are, the longer it takes until unsent emails fail
 * @returns the update's id
 * @throws if not exactly `expected` people would get it, or another process has queued it in the meantime; in either
 *   case, nothing is queued
 */
export async function queueUpdate(store: Store, update: NewUpdate, now: number): Promise<string> {
  const { file, expected, sendAt } = update;
  // Counted before the transaction, since on SQLite all other writers wait for it.
  const earlier = await findEarlier(store.db, update);
  const last = await findLastSubscriber(store.db, update, earlier);
  const { total, waiting, alreadySent } = await countAudience(store.db, update);
  const unqueued = new Set<SentUpdate['state'] | null>(['queueing', 'scheduled']);
  // In these states, some recipients may not have a delivery yet, so counting deliveries isn't enough.
  if (earlier.some(({ state, paused_from }) => unqueued.has(state === 'paused' ? paused_from : state))) {
    throw new Error(`${file} is already queued. Nothing more was queued.`);
  }
  if (total === 0 && waiting + alreadySent > 0) {
    const progress = `sent to ${alreadySent}, waiting to go to ${waiting}`;
    throw new Error(`${file} is already queued: ${progress}. Nothing more was queued.`);
  }
  if (total !== expected) {
    throw new Error(`${total} people would get this now, not ${expected}. Nothing was queued.`);
  }
  const id = await store.transaction(async (tx) => {
    // Only one process queues at a time. A second one sees the update of the first, and starts over.
    await writeMetadata(tx, 'queueing-lock', toIso(now));
    const isFirst = (await findEarlier(tx, update)).length === earlier.length;
    return isFirst ? insertUpdate(tx, update, last, now) : undefined;
  });
  if (id === undefined) return queueUpdate(store, update, now);
  if (sendAt <= now) await queueInBatches(store, id, now);
  return id;
}

/** Finds the id of the last recipient: people who join while the update is being queued don't get it. */
async function findLastSubscriber(db: Store['db'], query: AudienceQuery, earlier: Earlier[]): Promise<string> {
  const { last } = await selectAudience(db, query, earlier)
    .select((select) => select.fn.max('subscribers.id').as('last'))
    .executeTakeFirstOrThrow();
  return last ?? '';
}

async function insertUpdate(
  tx: Transaction<Schema>,
  { file, textHash, again = false, roles, template, source = '', pictures = [], expected, sendAt, caps }: NewUpdate,
  lastSubscriberId: string,
  now: number,
): Promise<string> {
  const id = randomUUIDv7();
  await tx
    .insertInto('updates')
    .values({
      id,
      file,
      text_hash: textHash,
      again: again ? 1 : 0,
      subject: template.subject,
      html: template.html,
      text: template.text,
      source,
      roles: toRolesColumn(roles),
      last_subscriber_id: sendAt > now ? '' : lastSubscriberId,
      recipients: expected,
      state: sendAt > now ? 'scheduled' : 'queueing',
      paused_from: null,
      state_reason: null,
      queued_at: toIso(now),
      send_at: toIso(sendAt),
      give_up_at: toIso(sendAt + GIVE_UP_AFTER_MS + estimateSendingMs(expected, caps)),
      resumed_at: null,
      finished_at: null,
    })
    .execute();
  await addPictures(tx, id, pictures);
  return id;
}

function toRolesColumn(roles: string[] | undefined): string | null {
  return roles === undefined ? null : JSON.stringify(roles);
}

async function addPictures(tx: Transaction<Schema>, id: string, pictures: string[]): Promise<void> {
  for (const picture of pictures) await tx.insertInto('update_pictures').values({ update_id: id, picture }).execute();
}

/** A scheduled update. @property sendAt when it goes out unless it is paused, in milliseconds since 1970 */
export type ScheduledUpdate = Pick<AudienceQuery, 'again'> & {
  id: string;
  sendAt: number;
  isPaused: boolean;
  isSame: boolean;
};

/** Finds this file's scheduled update. `isSame`: it was scheduled with this text for these people. */
export async function findScheduled(
  db: QueryCreator<Schema>,
  { file, textHash, roles }: AudienceQuery,
): Promise<ScheduledUpdate | undefined> {
  const update = await db
    .selectFrom('updates')
    .select(['id', 'state', 'send_at', 'text_hash', 'again', 'roles'])
    .where('file', '=', file)
    .where(isScheduled)
    .executeTakeFirst();
  if (update === undefined) return undefined;
  const isSame = update.text_hash === textHash && update.roles === toRolesColumn(roles);
  const { id, state, send_at: sendAt, again } = update;
  return { id, sendAt: Date.parse(sendAt), again: again === 1, isPaused: state === 'paused', isSame };
}

/** Matches scheduled updates, including paused ones. */
function isScheduled(update: ExpressionBuilder<Schema, 'updates'>) {
  return update.or([
    update('state', '=', 'scheduled'),
    update.and([update('state', '=', 'paused'), update('paused_from', '=', 'scheduled')]),
  ]);
}

/** Replaces the text and the roles of a scheduled update. @returns false if it is no longer scheduled */
export function replaceScheduled(
  store: Store,
  id: string,
  { textHash, roles, template, source = '', pictures = [], expected }: Omit<NewUpdate, 'sendAt' | 'caps'>,
): Promise<boolean> {
  const { subject, html, text } = template;
  return store.transaction(async (tx) => {
    const replaced = await tx
      .updateTable('updates')
      .set({ text_hash: textHash, subject, html, text, source, recipients: expected, roles: toRolesColumn(roles) })
      .where('id', '=', id)
      .where(isScheduled)
      .returning('id')
      .executeTakeFirst();
    if (replaced === undefined) return false;
    await tx.deleteFrom('update_pictures').where('update_id', '=', id).execute();
    await addPictures(tx, id, pictures);
    return true;
  });
}

/** Begins a scheduled update, whose recipients are the people on the list now. */
export async function beginScheduled(store: Store, id: string, now: number): Promise<void> {
  const update = await store.db.selectFrom('updates').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const query = toQuery(update);
  const others = (await findEarlier(store.db, query)).filter((other) => other.id !== id);
  const { count, last } = await selectAudience(store.db, query, others)
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('subscribers.id').as('last')])
    .executeTakeFirstOrThrow();
  const isBegun = await store.transaction((tx) =>
    count === 0
      ? missUpdate(tx, id, 'there was nobody left to send it to', now)
      : beginUpdate(tx, id, { last_subscriber_id: last ?? '', recipients: count }),
  );
  if (isBegun && count > 0) await queueInBatches(store, id, now);
}

/** Queues the rest of an update, then starts it. Several processes may do this at the same time. */
export async function queueInBatches(store: Store, id: string, now: number): Promise<void> {
  await repeatInBatches(() => store.transaction((tx) => queueBatch(tx, id, now)));
}

/** Few enough that others wait only a few milliseconds. */
const BATCH = 500;

function toQuery({ file, text_hash, again, roles }: SentUpdate): AudienceQuery {
  return { file, textHash: text_hash, again: again === 1, roles: roles === null ? undefined : JSON.parse(roles) };
}

/** @returns how many people it queued; 0 once all have been */
async function queueBatch(tx: Transaction<Schema>, id: string, now: number): Promise<number> {
  const update = await lockUpdate(tx, id);
  if (update?.state !== 'queueing') return 0;
  // For max(), PostgreSQL would read all the update's rows until it has statistics.
  const last = await tx
    .selectFrom('deliveries')
    .select('subscriber_id')
    .where('update_id', '=', id)
    .orderBy('subscriber_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const earlier = (await findEarlier(tx, toQuery(update))).filter((other) => other.id !== id);
  const people = await selectAudience(tx, toQuery(update), earlier)
    .select('subscribers.id')
    .where('subscribers.id', '>', last?.subscriber_id ?? '')
    .where('subscribers.id', '<=', update.last_subscriber_id)
    .orderBy('subscribers.id')
    .limit(BATCH)
    .execute();
  if (people.length === 0) {
    await finishQueueing(tx, update);
    return 0;
  }
  const { send_at: due_at, give_up_at } = update;
  const deliveries = people.map((person) => ({
    ...createDelivery('update', person.id, {}, now),
    update_id: id,
    due_at,
    give_up_at,
  }));
  await tx.insertInto('deliveries').values(deliveries).execute();
  return people.length;
}
