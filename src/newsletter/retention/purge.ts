import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { SelectQueryBuilder } from 'kysely';
import { checkClock, readReturn, recordPurge } from './check-clock.ts';
import { DELETE_BATCH } from '../database/batches.ts';
import { toIso } from '../database/iso-time.ts';
import type { Store } from '../database/open-store.ts';
import type { Schema, Subscriber } from '../database/schema.ts';
import { lockPeople } from '../database/lock-rows.ts';
import { rememberErased, removePeople, removeTraces } from '../subscribers/erase.ts';
import { findRetentionLimit, hasNotAnswered, RENEWAL_MS } from './renewals.ts';
import { removeOldNewAddresses } from '../subscribers/new-address.ts';
import { SUBSCRIBER_STATES } from '../subscribers/read-subscribers.ts';

/**
 * Erases people whose retention period has ended, a few at a time, unless the clock may be wrong.
 * @param options.outbox the folder that emails are written to
 * @param options.now milliseconds since 1970
 * @returns how many were erased, or undefined if the clock may be wrong; and whether email files of erased people
 *   remain
 */
export async function purge(
  store: Store,
  { outbox, now }: { outbox: string; now: number },
): Promise<{ erased: number | undefined; filesRemain: boolean }> {
  let erased: number | undefined;
  if (await checkClock(store, now)) {
    erased = 0;
    const returned = Date.parse((await readReturn(store.db)) ?? toIso(0));
    for (const state of SUBSCRIBER_STATES) {
      // People who were asked whether to stay must have had thirty days in which the button in that email worked.
      if (state === 'subscribed' && now - returned < RENEWAL_MS) continue;
      erased += await removeExpired(store, state, now);
    }
    await removeOldNewAddresses(store, now);
    await recordPurge(store, now);
  }
  return { erased, filesRemain: await removeTraces(store, outbox) };
}

const CONFIRM_WITHIN_MS = 30 * 24 * 3600_000;

/** Erases people in one state, a few in each transaction. @returns how many */
async function removeExpired(store: Store, state: Subscriber['state'], now: number): Promise<number> {
  let total = 0;
  for (let erased = DELETE_BATCH; erased === DELETE_BATCH; await yieldToOthers()) {
    erased = await store.transaction(async (tx) => {
      // Latest first, so that the rows are read from the index without sorting.
      const people = await selectExpired(lockPeople(tx), state, now)
        .orderBy('engaged_at', 'desc')
        .limit(DELETE_BATCH)
        .execute();
      // People who have unsubscribed must not be added again.
      if (state === 'unsubscribed') await rememberErased(tx, people, 'left', now);
      await removePeople(tx, people, now);
      return people.length;
    });
    total += erased;
  }
  return total;
}

type People<Row> = SelectQueryBuilder<Schema, 'subscribers', Row>;

function selectExpired<Row>(people: People<Row>, state: Subscriber['state'], now: number): People<Row> {
  return people
    .where('state', '=', state)
    .where('engaged_at', '<', findLimit(state, now))
    .$if(state === 'subscribed', (query) => query.where((eb) => hasNotAnswered(eb, now)));
}

function findLimit(state: Subscriber['state'], now: number): string {
  return state === 'pending' ? toIso(now - CONFIRM_WITHIN_MS) : findRetentionLimit(now);
}
