import type { QueryCreator } from 'kysely';
import { toIso } from '../../database/iso-time.ts';
import { readMetadata, writeMetadata } from '../../database/metadata.ts';
import type { Schema } from '../../database/schema.ts';

/**
 * The mail server has accepted no email since this ISO time; `reason` is the latest. `until` is set if a limit has been
 * reached: nothing is sent before this ISO time.
 */
export type MailOutage = { since: string; reason: string; until?: string };

/** @returns undefined if the mail server has accepted an email since the last failure */
export async function readOutage(db: QueryCreator<Schema>): Promise<MailOutage | undefined> {
  const value = await readMetadata(db, OUTAGE);
  return value === undefined ? undefined : (JSON.parse(value) as MailOutage);
}

/**
 * Records an outage for `status` and the weekly email: an alert couldn't be sent.
 * @param pauseMs how long sending stops, in milliseconds, if a limit is reached
 */
export async function recordOutage(
  db: QueryCreator<Schema>,
  reason: string,
  at: number,
  pauseMs?: number,
): Promise<void> {
  const { since } = (await readOutage(db)) ?? { since: toIso(at) };
  const until = pauseMs === undefined ? undefined : toIso(at + pauseMs);
  await writeMetadata(db, OUTAGE, JSON.stringify({ since, reason, until }));
}

/** Call when the mail server has accepted an email. */
export async function clearOutage(db: QueryCreator<Schema>): Promise<void> {
  await db.deleteFrom('metadata').where('name', '=', OUTAGE).execute();
}

const OUTAGE = 'mail-outage';
