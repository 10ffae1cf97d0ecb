import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Lets callers that arrive together share one commit: while one batch is being written the next one gathers.
 * @param commit writes a batch; when it settles the batch is durable, or none of it is
 * @param mostInBatch how many items one commit takes at the most
 * @param gather settles when a batch need not wait for more; `count` tells how many it has
 * @returns a function that settles for each item as its batch's commit did
 */
export function groupCommit<T>(
  commit: (batch: T[]) => Promise<void>,
  mostInBatch: number,
  gather: (count: () => number, enough: number) => Promise<void> = untilQuiet,
): (item: T) => Promise<void> {
  let gathered: { item: T; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let isCommitting = false;

  const commitGathered = async () => {
    while (gathered.length > 0) {
      await gather(() => gathered.length, mostInBatch);
      const batch = gathered.splice(0, mostInBatch);
      try {
        await commit(batch.map((entry) => entry.item));
        for (const entry of batch) entry.resolve();
      } catch (error) {
        for (const entry of batch) entry.reject(error);
      }
    }
    isCommitting = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      gathered.push({ item, resolve, reject });
      if (isCommitting) return;
      isCommitting = true;
      void commitGathered();
    });
}

/** Waits while more keep arriving: who comes alone waits some microseconds, a crowd is taken in whole. */
async function untilQuiet(count: () => number, enough: number): Promise<void> {
  let quietTurns = 0;
  while (quietTurns < QUIET_TURNS && count() < enough) {
    const before = count();
    await nextTurn();
    quietTurns = count() === before ? quietTurns + 1 : 0;
  }
}

/** Turns of the event loop in which nothing arrived; measured with `npm run bench:receiver`. */
const QUIET_TURNS = 8;
