import { expect } from 'vitest';
import { toIso } from '#newsletter/database/iso-time.ts';
import { readMetadata, writeMetadata } from '#newsletter/database/metadata.ts';
import { toOutboxPath } from '#newsletter/database/outbox.ts';
import { type RunningNewsletter, waitUntil } from './running-newsletter.ts';

/** The parts of a running newsletter that erasing and purging need. */
export function erasureOptions({ newsletter, env }: RunningNewsletter, now = Date.now()) {
  return { secret: newsletter.secret, outbox: toOutboxPath(env), now };
}

/** Waits until the server has finished the retention that runs at its start. */
export async function waitForRetention({ store }: RunningNewsletter): Promise<void> {
  await waitUntil(async () => expect(await readMetadata(store.db, 'last-purge')).toBeDefined());
}

/** Sets the time at which retention last ran. */
export async function setLastPurge({ store }: Pick<RunningNewsletter, 'store'>, time: number): Promise<void> {
  await store.transaction((tx) => writeMetadata(tx, 'last-purge', toIso(time)));
}
