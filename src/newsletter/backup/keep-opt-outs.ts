import { sql } from 'kysely';
import { dropMailsOfUnsubscribed } from '../deliveries/queue/delivery-state.ts';
import { markErasure } from '../retention/erased-bytes.ts';
import type { Store } from '../database/open-store.ts';

/**
 * Unsubscribes and erases, in a restored list, everybody who has unsubscribed or been erased since the backup.
 * @param before the schema of the list that is being replaced
 * @param now milliseconds since 1970
 * @returns how many people were unsubscribed again, and how many erased again
 */
export async function keepOptOuts(
  store: Store,
  before: string,
  now: number,
): Promise<{ unsubscribed: number; erased: number }> {
  const from = (table: string) => sql.table(`${before}.${table}`);
  return store.transaction(async (tx) => {
    await sql`insert into erasures select * from ${from('erasures')} where true on conflict do nothing`.execute(tx);
    const erased = await tx
      .deleteFrom('subscribers')
      .where('id', 'in', (select) => select.selectFrom('erasures').select('subscriber_id'))
      .returning('id')
      .execute();
    if (erased.length > 0) await markErasure(tx, now);
    // Their rows may still be in the sheet.
    await sql`insert into deliveries select * from ${from('deliveries')}
      where kind = 'sheet-erasure' and state <> 'sent' on conflict do nothing`.execute(tx);
    // Somebody who has moved to a new address since the backup has another mailbox, but the same id.
    const left = sql`earlier.state = 'unsubscribed' and earlier.state_changed_at > subscribers.state_changed_at
      and subscribers.state <> 'unsubscribed'`;
    const { rows: same } = await sql`update subscribers set
        state = earlier.state, state_changed_at = earlier.state_changed_at, engaged_at = earlier.engaged_at,
        confirmation_queued_at = null, undeliverable_reason = null
      from ${from('subscribers')} as earlier where earlier.id = subscribers.id and ${left}
      returning subscribers.id`.execute(tx);
    const { rows: others } = await sql`insert into subscribers
      select * from ${from('subscribers')}
      where state = 'unsubscribed' and id not in (select id from subscribers)
      on conflict (mailbox_hash) do update set
        state = excluded.state, state_changed_at = excluded.state_changed_at, engaged_at = excluded.engaged_at,
        confirmation_queued_at = null, undeliverable_reason = null
      where subscribers.state <> 'unsubscribed' and excluded.state_changed_at > subscribers.state_changed_at
      returning id`.execute(tx);
    await sql`insert into consent_wordings select * from ${from('consent_wordings')} where true
      on conflict do nothing`.execute(tx);
    await sql`insert into consent_records
      select * from ${from('consent_records')}
      where subscriber_id in (select id from subscribers where state = 'unsubscribed')
      on conflict do nothing`.execute(tx);
    await dropMailsOfUnsubscribed(tx, now);
    return { unsubscribed: same.length + others.length, erased: erased.length };
  });
}
