import { hash } from 'node:crypto';
import type { QueryCreator } from 'kysely';
import { toIso } from '../database/iso-time.ts';
import type { Schema } from '../database/schema.ts';

/** The size of a picture in pixels. */
type Size = { width: number; height: number };

/** Names a picture by its bytes. @param ending with its dot */
export function namePicture(bytes: Uint8Array, ending: string): string {
  return `${hash('sha256', bytes).slice(0, 16)}${ending}`;
}

/**
 * Stores a picture as it is to be shown; one that is there stays.
 * @param name contains `namePicture`'s, since nobody may change what a name shows
 * @throws if it has more than 2 MB
 */
export async function storePicture(
  db: QueryCreator<Schema>,
  name: string,
  picture: Size & { bytes: Uint8Array },
): Promise<void> {
  const { bytes, width, height } = picture;
  if (bytes.length > MAX_BYTES) throw new Error(`${name}: expected at most 2 MB, but it has ${bytes.length} bytes`);
  await db
    .insertInto('pictures')
    .values({ name, bytes: Buffer.from(bytes), width, height, added_at: toIso(Date.now()) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ added_at: toIso(Date.now()) }))
    .execute();
}

const MAX_BYTES = 2_000_000;

/** @returns undefined if there is none of this name */
export async function readPicture(db: QueryCreator<Schema>, name: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('pictures').select('bytes').where('name', '=', name).executeTakeFirst();
  return row && Buffer.from(row.bytes);
}

/** @returns the size of each of these pictures that is there, by its name */
export async function readPictureSizes(db: QueryCreator<Schema>, names: string[]): Promise<Map<string, Size>> {
  if (names.length === 0) return new Map();
  const rows = await db.selectFrom('pictures').select(['name', 'width', 'height']).where('name', 'in', names).execute();
  return new Map(rows.map(({ name, width, height }) => [name, { width, height }]));
}

/**
 * Removes pictures that were added thirty days ago, and that no text and no sent update shows.
 * @param texts contain the names of those that are used
 */
export async function removeUnusedPictures(db: QueryCreator<Schema>, texts: string[], now: number): Promise<void> {
  const rows = await db
    .selectFrom('pictures')
    .select('name')
    .where('added_at', '<', toIso(now - UNUSED_MS))
    .where('name', 'not in', db.selectFrom('update_pictures').select('picture'))
    .execute();
  const unused = rows.filter(({ name }) => !texts.some((text) => text.includes(name))).map(({ name }) => name);
  for (const name of unused) await db.deleteFrom('pictures').where('name', '=', name).execute();
}

const UNUSED_MS = 30 * 24 * 3600_000;
