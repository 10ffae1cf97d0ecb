import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import { groupCommit } from '../store/group-commit.ts';
import type { Store } from '../store/open-store.ts';
import type { Delivery, Schema } from '../store/schema.ts';
import { beginAttempt, type Begun } from './begin-attempt.ts';
import type { ClaimedDelivery } from './claim.ts';
import type { DeliveryFailure } from './delivery-failure.ts';
import { type Outcome, sentUpdate, writeOutcome } from './record-outcome.ts';

/** Between two deliveries: how the one ended, and the other, which is to begin. */
export type Turn = { ended?: Outcome | undefined; next?: ClaimedDelivery | undefined };

/**
 * What follows from an attempt that failed, written in the transaction that records it.
 * @param at when it failed, in milliseconds since 1970
 * @returns a line for the log, without any address of a person
 */
export type OnFailure = (
  tx: Transaction<Schema>,
  failed: { delivery: Delivery; failure: DeliveryFailure; at: number },
) => Promise<string | undefined>;

export type TurnRecorder = {
  /**
   * Settles when the turn is on disk.
   * @returns whether `next` has begun, and so may go out
   * @throws what the store throws; the outcome is then kept
   */
  record: (turn: Turn) => Promise<boolean>;
  /**
   * Writes the outcomes that were kept. To be called before anything more is claimed.
   * @throws what the store throws; what is not written yet stays kept
   */
  recordKept: () => Promise<void>;
  countKept: () => number;
};

/**
 * Writes turns to the store, those that come together in one commit. An outcome that could not be written is kept in
 * memory: without it, a mail that the mail server has accepted would go out again.
 */
export function turnRecorder(store: Store, onFailure: OnFailure, log: (line: string) => void): TurnRecorder {
  let kept: Outcome[] = [];
  const underWay = new Set<string>();
  const write = async (turns: RecordedTurn[]) => {
    const lines = await store.transaction(async (tx) => {
      const toLog: string[] = [];
      for (const { ended } of turns) if (ended) toLog.push(...(await writeEnd(tx, ended, onFailure)));
      for (const turn of turns) turn.begun = turn.next && (await beginAttempt(tx, turn.next, Date.now()));
      return toLog;
    });
    for (const line of lines) log(line);
  };
  const writeTogether = groupCommit(write, MOST_IN_COMMIT, async () => {
    const until = performance.now() + COMPANY_MS;
    while (underWay.size > 0 && performance.now() < until) await nextTurn();
  });
  // PostgreSQL lets commits that come together share the disk by itself; what costs there is each way to it.
  const writeAlone = async (turn: RecordedTurn) => {
    const { ended, next } = turn;
    if (next === undefined || (ended !== undefined && ended.state !== 'sent')) return write([turn]);
    turn.begun = await store.statement((db) =>
      beginAttempt(ended ? db.with('ended', () => sentUpdate(db, ended)) : db, next, Date.now()),
    );
  };
  return {
    record: async ({ ended, next }) => {
      const turn: RecordedTurn = { ended, next, begun: undefined };
      if (ended) underWay.delete(ended.delivery.id);
      try {
        await (store.kind === 'sqlite' ? writeTogether : writeAlone)(turn);
      } catch (error) {
        if (ended) kept.push(ended);
        throw error;
      }
      if (next === undefined || turn.begun === undefined) return false;
      Object.assign(next, turn.begun);
      underWay.add(next.id);
      return true;
    },
    recordKept: async () => {
      for (const ended of kept) {
        await write([{ ended, next: undefined, begun: undefined }]);
        kept = kept.filter((other) => other !== ended);
      }
    },
    countKept: () => kept.length,
  };
}

type RecordedTurn = Required<Turn> & { begun: Begun | undefined };

/**
 * How long a turn waits, in milliseconds, for those of the mails that are on their way: a commit waits for the disk about
 * as long as a near mail server takes for a mail, and a mail server far away takes many times as long.
 */
const COMPANY_MS = 5;

/** More than there are connections to a mail server. */
const MOST_IN_COMMIT = 256;

async function writeEnd(tx: Transaction<Schema>, ended: Outcome, onFailure: OnFailure): Promise<string[]> {
  await writeOutcome(tx, ended);
  if (ended.state === 'sent') return [];
  const { delivery, failure, at } = ended;
  const line = await onFailure(tx, { delivery, failure, at });
  return line === undefined ? [] : [line];
}
