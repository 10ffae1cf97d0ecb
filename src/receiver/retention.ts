import { MAIL_PAUSE_MS } from './deliveries/queue.ts';
import { iso } from './iso-time.ts';
import type { Store } from './store/open-store.ts';
import { type MailFiles, purge } from './subscriptions/erase.ts';

/**
 * Forgets, now and once a day, whom the privacy policy does not let us keep.
 * @param options.log takes one line without any address of a person
 * @returns ends it, and waits for what is under way
 */
export function runHousekeeping(options: {
  store: Store;
  secret: string;
  mailFiles: MailFiles;
  log: (line: string) => void;
}): () => Promise<void> {
  const { store, secret, mailFiles, log } = options;
  const applyRetention = async () => {
    try {
      const now = Date.now();
      const gone = await purge(store, { secret, mailFiles, now });
      if (gone.length > 0) log(`Purge: ${gone.length} forgotten.`);
      await store.db
        .deleteFrom('mail_slots')
        .where('taken_at', '<', iso(now - MAIL_PAUSE_MS))
        .execute();
    } catch (error) {
      log(`Purge: not done (${(error as { code?: string }).code ?? (error as Error).name}); tried again tomorrow.`);
    }
  };
  let underWay = applyRetention();
  const timer = setInterval(() => {
    underWay = applyRetention();
  }, DAY_MS);
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}

const DAY_MS = 24 * 3600_000;
