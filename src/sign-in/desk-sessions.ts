import { toIso } from '#newsletter/database/iso-time.ts';
import type { DeskSession } from '#newsletter/database/sign-in-schema.ts';
import { hashKeyed, makeToken } from './keyed-hash.ts';
import type { SignedIn, SignInStore } from './sign-in-links.ts';

/** How long a session lasts after the desk was last used. */
export const IDLE_DAYS = 14;

const DAY_MS = 24 * 3_600_000;
const IDLE_MS = IDLE_DAYS * DAY_MS;

/** The maximum lifetime of a session. */
const LIFETIME_MS = 90 * DAY_MS;

/** A cookie lasts as long as a session can. In seconds. */
export const COOKIE_SECONDS = LIFETIME_MS / 1000;

/** How often the time of last use is stored. */
const SEEN_EVERY_MS = 60_000;

/**
 * Starts a session, and ends the browser's previous one.
 * @param browser the browser's name
 * @param earlier the token in the browser's cookie, which somebody else may have put there
 * @returns the token for its cookie
 */
export async function beginSession(
  { store, secret }: SignInStore,
  { email, way }: SignedIn,
  { browser, earlier, now }: { browser: string; earlier: string | undefined; now: number },
): Promise<string> {
  const token = makeToken();
  const at = toIso(now);
  await store.transaction(async (tx) => {
    await tx
      .deleteFrom('desk_sessions')
      .where('seen_at', '<=', toIso(now - IDLE_MS))
      .execute();
    if (earlier !== undefined) {
      await tx
        .deleteFrom('desk_sessions')
        .where('id', '=', hashKeyed('session', earlier, secret))
        .execute();
    }
    const id = hashKeyed('session', token, secret);
    await tx.insertInto('desk_sessions').values({ id, email, browser, way, created_at: at, seen_at: at }).execute();
  });
  return token;
}

/**
 * Finds a cookie's session.
 * @param isUse whether the owner did something: automatic page refreshes don't extend the session
 * @returns undefined if it has ended
 */
export async function findSession(
  { store, secret }: SignInStore,
  token: string,
  { isUse, now }: { isUse: boolean; now: number },
): Promise<DeskSession | undefined> {
  const id = hashKeyed('session', token, secret);
  const session = await store.db.selectFrom('desk_sessions').selectAll().where('id', '=', id).executeTakeFirst();
  if (session === undefined) return undefined;
  const seenAt = Date.parse(session.seen_at);
  if (now - seenAt >= IDLE_MS || now - Date.parse(session.created_at) >= LIFETIME_MS) return undefined;
  if (isUse && now - seenAt >= SEEN_EVERY_MS) {
    // In a transaction, because only a transaction waits while the server is writing.
    await store.transaction((tx) =>
      tx
        .updateTable('desk_sessions')
        .set({ seen_at: toIso(now) })
        .where('id', '=', id)
        .execute(),
    );
  }
  return session;
}

/** Lists the sessions that haven't ended, the most recently used first. */
export function listSessions({ store: { db } }: SignInStore, now: number): Promise<DeskSession[]> {
  return db
    .selectFrom('desk_sessions')
    .selectAll()
    .where('seen_at', '>', toIso(now - IDLE_MS))
    .where('created_at', '>', toIso(now - LIFETIME_MS))
    .orderBy('seen_at', 'desc')
    .execute();
}

/** Signs a browser out. @param id the session's id */
export async function endSession({ store }: SignInStore, id: string): Promise<void> {
  await store.transaction((tx) => tx.deleteFrom('desk_sessions').where('id', '=', id).execute());
}

/** Signs every browser out, including this one, and revokes all links and codes. Passkeys are kept. */
export async function endAllSessions({ store }: SignInStore): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.deleteFrom('desk_sessions').execute();
    await tx.deleteFrom('desk_links').execute();
  });
}
