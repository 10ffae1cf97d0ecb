import { hash, randomBytes } from 'node:crypto';
import type { Overlay } from '#content/overlay.ts';
import { toIso } from '#newsletter/database/iso-time.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import type { ContentPreview } from '#newsletter/database/schema.ts';

/** A draft that can be viewed by link. */
export type PreviewFacts = Pick<ContentPreview, 'id' | 'made_by' | 'made_at' | 'expires_at'>;

/** The path of a preview's home page, before its token. */
export const PREVIEW_PATH = '/preview';

const DAYS = 7;

/**
 * Creates a link to a draft of the whole site, which works for seven days.
 * @returns the link's token, which isn't stored anywhere
 */
export async function addPreview({ db }: Store, overlay: Overlay, madeBy: string, now: number): Promise<string> {
  const token = randomBytes(16).toString('base64url');
  await db
    .insertInto('content_previews')
    .values({
      id: toId(token),
      overlay: JSON.stringify(overlay),
      made_by: madeBy,
      made_at: toIso(now),
      expires_at: toIso(now + DAYS * 86_400_000),
    })
    .execute();
  await db.deleteFrom('content_previews').where('expires_at', '<', toIso(now)).execute();
  return token;
}

/** Lists the previews that still work, newest first. */
export function listPreviews({ db }: Store, now: number): Promise<PreviewFacts[]> {
  return db
    .selectFrom('content_previews')
    .select(['id', 'made_by', 'made_at', 'expires_at'])
    .where('expires_at', '>', toIso(now))
    .orderBy('made_at', 'desc')
    .execute();
}

export async function endPreview({ db }: Store, id: string): Promise<void> {
  await db.deleteFrom('content_previews').where('id', '=', id).execute();
}

/** @returns undefined if the link was revoked, or is older than seven days */
export async function readPreview({ db }: Store, token: string, now: number): Promise<Overlay | undefined> {
  const row = await db
    .selectFrom('content_previews')
    .select('overlay')
    .where('id', '=', toId(token))
    .where('expires_at', '>', toIso(now))
    .executeTakeFirst();
  return row && (JSON.parse(row.overlay) as Overlay);
}

function toId(token: string): string {
  return hash('sha256', token);
}
