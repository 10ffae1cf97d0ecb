import { randomInt } from 'node:crypto';
import { toIso } from '#newsletter/database/iso-time.ts';
import { locksRows } from '#newsletter/database/lock-rows.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import type { DeskLink, DeskSession } from '#newsletter/database/sign-in-schema.ts';
import { hashKeyed, makeToken } from './keyed-hash.ts';

/** The database and the signing secret; several servers may share them. */
export type SignInStore = { store: Store; secret: string };

/** The person that a link signs in. `email` is null after a link from the terminal. */
export type SignedIn = Pick<DeskSession, 'email' | 'way'>;

/** How long links and codes work. */
export const LINK_MINUTES = 15;

/**
 * Makes a link for somebody with access to the terminal. It works once, in any browser. @returns the token of its URL
 */
export async function makeTerminalLink({ store, secret }: SignInStore, now: number): Promise<string> {
  const token = makeToken();
  const link = { id: hashKeyed('link', token, secret), kind: 'terminal' as const };
  await store.transaction((tx) => insertLink({ db: tx }, link, now + LINK_MS));
  return token;
}

/** Who asked for an email. @property browser the token in its cookie @property network as toNetwork48 returns it */
export type Asking = { browser: string; network: string };

/**
 * Makes a link to email. It works only in the browser that asked for it; its code works there too. If the address has
 * too many unused links, a network that asked for none of them gets one in place of the oldest, so that strangers who
 * type the address can't keep its owner out.
 * @param email a normalised address
 * @returns undefined if the address may not sign in, or if it has too many unused links
 */
export async function makeEmailLink(
  { store, secret }: SignInStore,
  email: string,
  asking: Asking,
  now: number,
): Promise<{ token: string; code: string } | undefined> {
  const token = makeToken();
  const code = makeCode();
  const network = hashKeyed('asking-network', asking.network, secret);
  return store.transaction(async (tx) => {
    await tx.deleteFrom('desk_links').where('expires_at', '<=', toIso(now)).execute();
    // Locks the person's row, so that no two requests count the links at the same time.
    const person = tx
      .selectFrom('desk_people')
      .select('email')
      .where('email', '=', email)
      .$if(locksRows(tx), (query) => query.forUpdate());
    if ((await person.executeTakeFirst()) === undefined) return undefined;
    const waiting = await tx
      .selectFrom('desk_links')
      .select(['id', 'network'])
      .where('email', '=', email)
      .where('kind', '=', 'email')
      .orderBy('expires_at')
      .execute();
    if (waiting.length >= MAX_WAITING) {
      if (waiting.some((link) => link.network === network)) return undefined;
      await tx.deleteFrom('desk_links').where('id', '=', waiting[0]!.id).execute();
    }
    await insertLink(
      { db: tx },
      {
        id: hashKeyed('link', token, secret),
        kind: 'email',
        email,
        code: hashKeyed('code', code, secret),
        browser: hashKeyed('asking-browser', asking.browser, secret),
        network,
      },
      now + LINK_MS,
    );
    return { token, code };
  });
}

/** The state of a link, which determines what its page shows. `elsewhere`: another browser asked for it. */
export type LinkState = 'ready' | 'elsewhere' | 'old';

/** Reads the state of a link without changing it. @param askingBrowser the token in this browser's cookie */
export async function readLink(
  { store, secret }: SignInStore,
  token: string,
  askingBrowser: string | undefined,
  now: number,
): Promise<LinkState> {
  const link = await store.db
    .selectFrom('desk_links')
    .select(['kind', 'browser'])
    .where('id', '=', hashKeyed('link', token, secret))
    .where('expires_at', '>', toIso(now))
    .executeTakeFirst();
  if (link === undefined) return 'old';
  const isHere = link.kind === 'terminal' || link.browser === hashBrowser(askingBrowser, secret);
  return isHere ? 'ready' : 'elsewhere';
}

/** Redeems a link. @returns undefined if it has been used, has expired, or was requested by another browser */
export async function useLink(
  { store, secret }: SignInStore,
  token: string,
  askingBrowser: string | undefined,
  now: number,
): Promise<SignedIn | undefined> {
  const used = await store.transaction((tx) =>
    tx
      .deleteFrom('desk_links')
      .where('id', '=', hashKeyed('link', token, secret))
      .where('expires_at', '>', toIso(now))
      .where(({ or, eb }) =>
        or([eb('kind', '=', 'terminal'), eb('browser', '=', hashBrowser(askingBrowser, secret) ?? null)]),
      )
      .returning(['email', 'kind'])
      .executeTakeFirst(),
  );
  return used && { email: used.email, way: used.kind };
}

/**
 * Redeems an email's code, typed in the browser that asked for it. Each attempt counts before it is compared: five
 * wrong ones end the links that this browser asked for, and parallel attempts gain nothing.
 */
export async function useCode(
  { store, secret }: SignInStore,
  typed: string,
  askingBrowser: string,
  now: number,
): Promise<SignedIn | undefined> {
  const browser = hashKeyed('asking-browser', askingBrowser, secret);
  const code = hashKeyed('code', typed.replaceAll(/[\s-]/g, '').toUpperCase(), secret);
  return store.transaction(async (tx) => {
    const counted = await tx
      .updateTable('desk_links')
      .set((eb) => ({ tries: eb('tries', '+', 1) }))
      .where('browser', '=', browser)
      .where('tries', '<', MAX_TRIES)
      .where('expires_at', '>', toIso(now))
      .returning('id')
      .execute();
    if (counted.length === 0) return undefined;
    const ids = counted.map(({ id }) => id);
    const used = await tx
      .deleteFrom('desk_links')
      .where('id', 'in', ids)
      .where('code', '=', code)
      .returning('email')
      .executeTakeFirst();
    if (used !== undefined) return { email: used.email, way: 'email' as const };
    await tx.deleteFrom('desk_links').where('id', 'in', ids).where('tries', '>=', MAX_TRIES).execute();
    return undefined;
  });
}

/** A code as the email shows it: `JZV2 V47M`. */
export function formatCode(code: string): string {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}

/** Adds a row to the table of links. @param expiresAt milliseconds since 1970 */
export async function insertLink(
  { db }: Pick<Store, 'db'>,
  link: Pick<DeskLink, 'id' | 'kind'> & Partial<DeskLink>,
  expiresAt: number,
): Promise<void> {
  await db
    .insertInto('desk_links')
    .values({ email: null, code: null, browser: null, network: null, tries: 0, expires_at: toIso(expiresAt), ...link })
    .execute();
}

function hashBrowser(askingBrowser: string | undefined, secret: string): string | undefined {
  return askingBrowser === undefined ? undefined : hashKeyed('asking-browser', askingBrowser, secret);
}

/** Without vowels, and without letters and digits that look alike: 27⁸ codes. */
const CODE_CHARACTERS = '23456789BCDFGHJKMNPQRTVWXYZ';
const CODE_LENGTH = 8;

function makeCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)]).join('');
}

const LINK_MS = LINK_MINUTES * 60_000;

/** The maximum number of unused links for one address. */
const MAX_WAITING = 20;

const MAX_TRIES = 5;
