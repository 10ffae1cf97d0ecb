import type { Transaction } from 'kysely';
import type { Agency } from '#shared/content-schema.ts';
import type { Environment } from '#shared/environment.ts';
import type { BulkHeaders } from '../templates/compose-mail.ts';
import type { DeliveryFailure } from '../queue/delivery-failure.ts';
import type { MailContext } from '../queue/compose.ts';
import type { OnFailure } from '../queue/record-turns.ts';
import type { UpdatesUnderWay } from '../queue/run-deliveries.ts';
import { encodeTemplate } from '../templates/encode-template.ts';
import type { Store } from '#store/open-store.ts';
import type { Delivery, Schema } from '#store/schema.ts';
import { markUndeliverable } from '#list/undeliverable.ts';
import { finishUpdate, pauseAndTell, startDueUpdates } from './update-states.ts';

/** What the sending of mails needs to know of updates, and what follows from refusals. */
export type UpdateSending = {
  underWay: UpdatesUnderWay;
  find: MailContext['findUpdate'];
  onFailure: OnFailure;
};

export function updateSending(store: Store, agency: Agency, env: Pick<Environment, 'BOUNCE_MAILBOX'>): UpdateSending {
  return {
    underWay: {
      startDue: (now) => startDueUpdates(store, now),
      finish: async (ids, now) => {
        for (const id of ids) await finishUpdate(store, id, now);
      },
    },
    find: updateFinder(store, agency, env),
    onFailure: async (tx, { delivery, failure, at }) => {
      if (failure.refused === 'recipient' && delivery.subscriber_id) {
        await markUndeliverable(tx, delivery.subscriber_id, failure.message, at);
      }
      const reason = await reasonToPause(tx, delivery, failure);
      if (reason === undefined) return undefined;
      const ids = failure.refused === 'login' ? await updatesBeingSent(tx) : [delivery.update_id ?? ''];
      const paused = await pauseAndTell(store, tx, ids, reason, at);
      return paused.length > 0 ? `An update is paused: ${reason}` : undefined;
    },
  };
}

/** The headers of an update's mails. */
export function bulkHeadersOf(agency: Agency, updateId: string, env: Pick<Environment, 'BOUNCE_MAILBOX'>): BulkHeaders {
  const domain = agency.email.slice(agency.email.indexOf('@') + 1);
  return {
    listId: `updates.${domain}`,
    feedbackId: `${updateId}:update:${domain}`,
    replyTo: agency.email,
    unsubscribeAddress: env.BOUNCE_MAILBOX && agency.email,
  };
}

function updateFinder(
  store: Store,
  agency: Agency,
  env: Pick<Environment, 'BOUNCE_MAILBOX'>,
): MailContext['findUpdate'] {
  let last: { id: string; found: Awaited<ReturnType<MailContext['findUpdate']>> } | undefined;
  return async (id) => {
    // One update goes out at a time, to many: what it says never changes.
    if (last?.id === id) return last.found;
    const template = await store.db
      .selectFrom('updates')
      .select(['subject', 'html', 'text'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    last = { id, found: { template: encodeTemplate(template), bulk: bulkHeadersOf(agency, id, env) } };
    return last.found;
  };
}

/** A list that is refused by more than 5% at its start would cost the sender the trust of mail servers. */
const FIRST = 100;
const MOST_REFUSED = 5;

async function reasonToPause(
  tx: Transaction<Schema>,
  delivery: Delivery,
  failure: DeliveryFailure,
): Promise<string | undefined> {
  if (failure.refused === 'login') return `The mail server refused the login of SMTP_URL (${failure.message}).`;
  if (!failure.isPermanent || delivery.update_id === null) return undefined;
  const update = await tx
    .selectFrom('updates')
    .select('resumed_at')
    .where('id', '=', delivery.update_id)
    .executeTakeFirst();
  // The owner has seen it and went on.
  if (update === undefined || update.resumed_at !== null) return undefined;
  const finished = await tx
    .selectFrom('deliveries')
    .select('state')
    .where('update_id', '=', delivery.update_id)
    .where('state', 'in', ['sent', 'failed'])
    .limit(FIRST + 1)
    .execute();
  const refused = finished.filter(({ state }) => state === 'failed').length;
  if (finished.length > FIRST || refused <= MOST_REFUSED) return undefined;
  return `${refused} of the first ${finished.length} mails were refused for good; the last answer was: ${failure.message}`;
}

async function updatesBeingSent(tx: Transaction<Schema>): Promise<string[]> {
  const rows = await tx.selectFrom('updates').select('id').where('state', '=', 'sending').execute();
  return rows.map(({ id }) => id);
}
