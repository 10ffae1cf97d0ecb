import type { QueryCreator } from 'kysely';
import { toIso } from '../database/iso-time.ts';
import type { Schema } from '../database/schema.ts';

/** The size of a picture in pixels. */
type Size = { width: number; height: number };

/** The folder of the site that holds the pictures of emails. */
export const PICTURES_PATH = '/updates/';

/** @returns the names of the pictures that a text may contain */
export function findPictureNames(text: string): string[] {
  return [...new Set([...text.matchAll(/\/updates\/([\w-]+\.\w+)/g)].map(([, name]) => name!))];
}

/**
 * Stores a picture as it will be shown; an existing one is left alone.
 * @param name contains a hash of its bytes, so that a name's picture never changes
 * @throws if it is larger than 2 MB
 */
export async function storePicture(
  db: QueryCreator<Schema>,
  name: string,
  picture: Size & { bytes: Uint8Array },
): Promise<void> {
  const { bytes, width, height } = picture;
  if (bytes.length > MAX_BYTES) throw new Error(`${name}: expected at most 2 MB, but it is ${bytes.length} bytes`);
  await db
    .insertInto('pictures')
    .values({ name, bytes: Buffer.from(bytes), width, height, added_at: toIso(Date.now()) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ added_at: toIso(Date.now()) }))
    .execute();
}

const MAX_BYTES = 2_000_000;

/** @returns undefined if there is none with this name */
export async function readPicture(db: QueryCreator<Schema>, name: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('pictures').select('bytes').where('name', '=', name).executeTakeFirst();
  return row && Buffer.from(row.bytes);
}

/** @returns the sizes of these pictures by name, without those that don't exist */
export async function readPictureSizes(db: QueryCreator<Schema>, names: string[]): Promise<Map<string, Size>> {
  if (names.length === 0) return new Map();
  const rows = await db.selectFrom('pictures').select(['name', 'width', 'height']).where('name', 'in', names).execute();
  return new Map(rows.map(({ name, width, height }) => [name, { width, height }]));
}

/** Removes pictures that were added thirty days ago or earlier, and that no email, draft, version or update uses. */
export async function removeUnusedPictures(db: QueryCreator<Schema>, now: number): Promise<void> {
  const old = await db
    .selectFrom('pictures')
    .select('name')
    .where('added_at', '<', toIso(now - UNUSED_MS))
    .where('name', 'not in', db.selectFrom('update_pictures').select('picture'))
    .execute();
  for (const { name } of old) {
    const pattern = `%${name}%`;
    const uses = await Promise.all([
      db.selectFrom('emails').select('name').where('text', 'like', pattern).executeTakeFirst(),
      db.selectFrom('content_drafts').select('key').where('value', 'like', pattern).executeTakeFirst(),
      db.selectFrom('content_versions').select('number').where('overlay', 'like', pattern).executeTakeFirst(),
      db.selectFrom('content_previews').select('id').where('overlay', 'like', pattern).executeTakeFirst(),
    ]);
    if (uses.every((use) => use === undefined)) await db.deleteFrom('pictures').where('name', '=', name).execute();
  }
}

const UNUSED_MS = 30 * 24 * 3600_000;
