import { Hono } from 'hono';
import { getMimeType } from 'hono/utils/mime';
import type { Store } from '#newsletter/database/open-store.ts';
import { PICTURES_PATH, readPicture } from '#newsletter/updates/stored-pictures.ts';

/**
 * Serves the pictures in emails. A name contains a hash of the picture's bytes, so browsers needn't request it twice.
 * Some are kept in memory.
 */
export function createPictureRoute({ db }: Store): Hono {
  const kept = new Map<string, Uint8Array<ArrayBuffer>>();
  const keep = (name: string, bytes: Uint8Array<ArrayBuffer>) => {
    kept.delete(name);
    kept.set(name, bytes);
    let size = [...kept.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [oldest, { length }] of kept) {
      if (size <= MAX_KEPT) break;
      kept.delete(oldest);
      size -= length;
    }
  };
  return new Hono().get(`${PICTURES_PATH}:name{[a-z0-9-]+\\.(?:jpg|png|gif)}`, async (c, next) => {
    const name = c.req.param('name');
    const stored = kept.get(name) ?? (await readPicture(db, name));
    if (stored === undefined) return next();
    const bytes = new Uint8Array(stored);
    keep(name, bytes);
    c.header('Cache-Control', 'public, max-age=31536000, immutable');
    return c.body(bytes, 200, { 'Content-Type': getMimeType(name) ?? 'image/jpeg' });
  });
}

/** In bytes. */
const MAX_KEPT = 16_000_000;
