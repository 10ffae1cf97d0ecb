/**
 * Lets callers that arrive together share one commit: while one batch is being written the next one gathers.
 * @param commit writes a batch; when it settles the batch is durable, or none of it is
 * @param mostInBatch how many items one commit takes at the most
 * @returns a function that settles for each item as its batch's commit did
 */
export function groupCommit<T>(commit: (batch: T[]) => Promise<void>, mostInBatch: number): (item: T) => Promise<void> {
  let gathered: { item: T; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let isCommitting = false;

  const commitGathered = async () => {
    while (gathered.length > 0) {
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
      // Requests that were read in the same turn of the event loop join this first batch.
      setImmediate(() => void commitGathered());
    });
}
