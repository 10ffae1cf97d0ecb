import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { GIVE_UP_AFTER_MS } from '#store/new-delivery.ts';
import { iso } from '#store/iso-time.ts';
import type { MailTemplate } from '../templates/mail-template.ts';
import type { Store } from '#store/open-store.ts';
import { type AudienceQuery, audienceOf, findEarlier } from './audience.ts';

/** The list has changed since its people were counted. */
export class AudienceChanged extends Error {
  override name = 'AudienceChanged';
}

/**
 * Queues an update: one delivery for each of its people, who are fixed from now on. Either all of it is queued or
 * nothing.
 * @param update.expected how many people were confirmed
 * @param update.sendAt when it may go out, in milliseconds since 1970
 * @param update.hourlyCap MAIL_HOURLY_CAP: a long list takes longer, and is given up later
 * @returns the update's id
 * @throws {AudienceChanged} when other than `expected` people would get it; then nothing is queued
 */
export async function queueUpdate(
  store: Store,
  update: AudienceQuery & { template: MailTemplate; expected: number; sendAt: number; hourlyCap: number },
  now: number,
): Promise<string> {
  const id = randomUUIDv7();
  const { file, contentHash, template, expected, sendAt } = update;
  await store.transaction(async (tx) => {
    const earlier = await findEarlier(tx, update);
    const giveUpAt = sendAt + GIVE_UP_AFTER_MS + (expected / update.hourlyCap) * HOUR_MS;
    const { numInsertedOrUpdatedRows: queued } = await tx
      .insertInto('deliveries')
      .columns([
        'id',
        'kind',
        'subscriber_id',
        'update_id',
        'details',
        'state',
        'attempts',
        'interruptions',
        'queued_at',
        'due_at',
        'give_up_at',
      ])
      .expression(
        audienceOf(tx, update, earlier)
          .select([
            deliveryId(store, id).as('id'),
            sql.lit('update').as('kind'),
            'subscribers.id as subscriber_id',
            sql.lit(id).as('update_id'),
            sql.lit(JSON.stringify({ update: id })).as('details'),
            sql.lit('waiting').as('state'),
            sql.lit(0).as('attempts'),
            sql.lit(0).as('interruptions'),
            sql.lit(iso(now)).as('queued_at'),
            sql.lit(iso(sendAt)).as('due_at'),
            sql.lit(iso(giveUpAt)).as('give_up_at'),
          ])
          .orderBy('subscribers.id'),
      )
      .executeTakeFirstOrThrow();
    if (Number(queued) !== expected) {
      throw new AudienceChanged(`${queued} people would get this now, not ${expected}. Nothing was queued.`);
    }
    await tx
      .insertInto('updates')
      .values({
        id,
        file,
        content_hash: contentHash,
        subject: template.subject,
        html: template.html,
        text: template.text,
        recipients: expected,
        state: sendAt > now ? 'scheduled' : 'sending',
        state_reason: null,
        queued_at: iso(now),
        send_at: iso(sendAt),
        resumed_at: null,
        finished_at: null,
      })
      .execute();
  });
  return id;
}

const HOUR_MS = 3600_000;

/** Made by the database: a UUID for each row, all beginning like the update's own, so that they lie together. */
function deliveryId({ kind }: Store, updateId: string) {
  const beginning = sql.lit(updateId.slice(0, 19));
  return kind === 'postgres'
    ? sql<string>`${beginning} || substr(gen_random_uuid()::text, 20)`
    : sql<string>`${beginning} || lower(hex(randomblob(2))) || '-' || lower(hex(randomblob(6)))`;
}
