import { CompiledQuery, type Transaction } from 'kysely';
import { iso } from '#store/iso-time.ts';
import { groupCommit } from '#store/group-commit.ts';
import type { Store } from '#store/open-store.ts';
import type { Delivery, Schema } from '#store/schema.ts';
import { beginAttempt, type Begun } from './begin-attempt.ts';
import type { ClaimedDelivery } from './claim.ts';
import type { DeliveryFailure } from './delivery-failure.ts';
import { type Outcome, writeOutcome } from './record-outcome.ts';
import { LEASE_MS } from './release-interrupted.ts';

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
  /** Another connection takes turns from now on: a commit waits a moment for the turn of each. @returns its end */
  join: () => () => void;
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
  const company = companyOf();
  const writeInTransaction = async (turns: RecordedTurn[]) => {
    const lines = await store.transaction(async (tx) => {
      const toLog: string[] = [];
      for (const { ended } of turns) if (ended) toLog.push(...(await writeEnd(tx, ended, onFailure)));
      for (const turn of turns) turn.begun = turn.next && (await beginAttempt(tx, turn.next, Date.now()));
      return toLog;
    });
    for (const line of lines) log(line);
  };
  const write = (turns: RecordedTurn[]) =>
    store.kind === 'postgres' && turns.every(({ ended }) => !ended || ended.state === 'sent')
      ? writeInStatement(store, turns)
      : writeInTransaction(turns);
  const writeTogether = groupCommit(write, MOST_IN_COMMIT, company.gather);
  return {
    join: company.join,
    record: async ({ ended, next }) => {
      const turn: RecordedTurn = { ended, next, begun: undefined };
      try {
        const written = writeTogether(turn);
        company.look();
        await written;
      } catch (error) {
        if (ended) kept.push(ended);
        throw error;
      }
      if (next === undefined || turn.begun === undefined) return false;
      Object.assign(next, turn.begun);
      return true;
    },
    recordKept: async () => {
      for (const ended of kept) {
        await writeInTransaction([{ ended, next: undefined, begun: undefined }]);
        kept = kept.filter((other) => other !== ended);
      }
    },
    countKept: () => kept.length,
  };
}

type RecordedTurn = Required<Turn> & { begun: Begun | undefined };

/** More than there are connections to a mail server. */
const MOST_IN_COMMIT = 256;

/** Lets a commit wait until each connection has a turn in it, but not for long. */
function companyOf() {
  let connections = 0;
  let look = () => {};
  return {
    join: () => {
      connections += 1;
      return () => {
        connections -= 1;
        look();
      };
    },
    look: () => look(),
    gather: (count: () => number) =>
      new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer);
          look = () => {};
          resolve();
        };
        const timer = setTimeout(end, COMPANY_MS);
        look = () => {
          if (count() >= connections) end();
        };
        look();
      }),
  };
}

/**
 * In milliseconds: a commit waits for the disk about as long as a near mail server takes for a mail. A mail server far
 * away takes many times as long, and then nothing waits for this.
 */
const COMPANY_MS = 5;

/**
 * All turns in one statement, which commits by itself: what costs on PostgreSQL is each way to it and each statement,
 * so the text is the same for any number of turns, and Kysely need not make it anew.
 */
async function writeInStatement(store: Store, turns: RecordedTurn[]): Promise<void> {
  const ended = turns.flatMap((turn) => turn.ended ?? []);
  const next = turns.flatMap((turn) => turn.next ?? []);
  const now = Date.now();
  const parameters = [
    ended.map(({ delivery }) => delivery.id),
    ended.map(({ at }) => iso(at)),
    next.map(({ id }) => id),
    next.map(({ claimed_until }) => claimed_until),
    iso(now),
    iso(now + LEASE_MS),
  ];
  const { rows } = await store.statement((db) =>
    db.executeQuery<Begun & { id: string }>(CompiledQuery.raw(TURNS, parameters)),
  );
  const begun = new Map(rows.map(({ id, attempts, claimed_until }) => [id, { attempts, claimed_until }]));
  for (const turn of turns) turn.begun = turn.next && begun.get(turn.next.id);
}

/** The same as `writeOutcome` and `beginAttempt`, for many at once. */
const TURNS = `
  with ended as (
    update deliveries
    set claimed_until = null, begun_at = null, state = 'sent', finished_at = turn.at, last_error = null
    from unnest($1::text[], $2::text[]) as turn (id, at)
    where deliveries.id = turn.id
  )
  update deliveries
  set begun_at = $5, claimed_until = $6, attempts = attempts + case when begun_at is null then 1 else 0 end
  from unnest($3::text[], $4::text[]) as turn (id, claimed_until)
  where deliveries.id = turn.id and state = 'waiting' and deliveries.claimed_until = turn.claimed_until
    and (update_id is null or exists (select from updates where updates.id = update_id and updates.state = 'sending'))
  returning deliveries.id, attempts, deliveries.claimed_until`;

async function writeEnd(tx: Transaction<Schema>, ended: Outcome, onFailure: OnFailure): Promise<string[]> {
  await writeOutcome(tx, ended);
  if (ended.state === 'sent') return [];
  const { delivery, failure, at } = ended;
  const line = await onFailure(tx, { delivery, failure, at });
  return line === undefined ? [] : [line];
}
