import { expect, test } from 'vitest';
import { toIso } from '#newsletter/database/iso-time.ts';
import { addPerson, isUnclaimed, listPeople, removePerson } from '#sign-in/desk-people.ts';
import { beginSession, endAllSessions, findSession, listSessions } from '#sign-in/desk-sessions.ts';
import { askForPasskey, findRpId, listPasskeys, renamePasskey } from '#sign-in/passkeys.ts';
import {
  makeEmailLink,
  makeTerminalLink,
  readLink,
  type SignInStore,
  useCode,
  useLink,
} from '#sign-in/sign-in-links.ts';
import { freshStore, onEachStore, openPlace, type StoreName } from './setup/running-newsletter.ts';

const CLARA = 'clara@example.org';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const now = Date.now();

/** A desk that Clara may open, and her session. */
async function openSignIn(name: StoreName) {
  const signIn: SignInStore = { store: await openPlace(await freshStore(name)), secret: 'a secret of the tests' };
  const begin = (email: string | null, at = now, earlier?: string) =>
    beginSession(signIn, { email, way: 'terminal' }, { browser: 'Firefox on Linux', earlier, now: at });
  const find = (token: string, at = now) => findSession(signIn, token, { isUse: true, now: at });
  const session = await begin(null);
  await addPerson(signIn, ` ${CLARA.toUpperCase()} `, (await find(session))!);
  const askForLink = async (browser = 'her laptop', network = '192.0.2.1') =>
    (await makeEmailLink(signIn, CLARA, { browser, network }, now))!;
  return { signIn, session, begin, find, askForLink };
}

test.each([
  ['https://www.example.org', 'example.org'],
  ['https://example.org', 'example.org'],
  ['https://wwwx.example.org:8443', 'wwwx.example.org'],
])('passkeys of %s are for %s, so that they work with and without www', (origin, rpId) => {
  expect(findRpId(origin)).toBe(rpId);
});

onEachStore('Signing in', (name) => {
  test('accepts a link from the terminal once within 15 minutes, even if it is pressed twice at the same time', async () => {
    const { signIn } = await openSignIn(name);
    const token = await makeTerminalLink(signIn, now);
    expect(await readLink(signIn, token, undefined, now)).toBe('ready');
    expect(await useLink(signIn, token, undefined, now + 15 * MINUTE_MS)).toBeUndefined();
    const pressed = await Promise.all([1, 2, 3].map(() => useLink(signIn, token, undefined, now)));
    expect(pressed.filter(Boolean)).toEqual([{ email: null, way: 'terminal' }]);
    expect(await readLink(signIn, token, undefined, now)).toBe('old');
  });

  test('accepts an emailed link only in the browser that asked for it; a press elsewhere doesn’t use it up', async () => {
    const { signIn, askForLink } = await openSignIn(name);
    const { token } = await askForLink();
    for (const browser of [undefined, 'a scanner']) {
      expect(await readLink(signIn, token, browser, now)).toBe('elsewhere');
      expect(await useLink(signIn, token, browser, now)).toBeUndefined();
    }
    expect(await useLink(signIn, token, 'her laptop', now)).toEqual({ email: CLARA, way: 'email' });
  });

  test('accepts a code in the browser that asked for it, however it is typed, and invalidates its link', async () => {
    const { signIn, askForLink } = await openSignIn(name);
    const { token, code } = await askForLink();
    expect(code).toMatch(/^[2-9B-Z]{8}$/);
    expect(await useCode(signIn, code, 'another browser', now)).toBeUndefined();
    const typed = ` ${code.slice(0, 4)}-${code.slice(4)} `.toLowerCase();
    expect(await useCode(signIn, typed, 'her laptop', now)).toEqual({ email: CLARA, way: 'email' });
    expect(await readLink(signIn, token, 'her laptop', now)).toBe('old');
  });

  test('rejects the right code after five wrong ones, even if many are tried at the same time', async () => {
    const { signIn, askForLink } = await openSignIn(name);
    const { code } = await askForLink();
    await Promise.all(Array.from({ length: 8 }, () => useCode(signIn, 'BBBB BBBB', 'her laptop', now)));
    expect(await useCode(signIn, code, 'her laptop', now)).toBeUndefined();
  });

  test('allows an address 20 unused links, and gives none to an address that may not sign in', async () => {
    const { signIn } = await openSignIn(name);
    const ask = (email: string, at = now) =>
      makeEmailLink(signIn, email, { browser: 'a browser', network: '192.0.2.1' }, at);
    expect(await ask('stranger@example.org')).toBeUndefined();
    const links = [];
    for (let count = 0; count < 25; count += 1) links.push(await ask(CLARA));
    expect(links.filter(Boolean)).toHaveLength(20);
    expect(await ask(CLARA, now + 15 * MINUTE_MS)).toBeDefined();
  });

  test('gives the owner a link even if strangers in four networks have used up all 20', async () => {
    const { signIn, askForLink } = await openSignIn(name);
    const fill = async () => {
      for (let count = 0; count < 40; count += 1) await askForLink('a stranger’s', `198.51.100.${count % 4}`);
    };
    await fill();
    const { token } = await askForLink('her phone', '203.0.113.7');
    await fill();
    expect(await signIn.store.db.selectFrom('desk_links').select('id').execute()).toHaveLength(20);
    expect(await useLink(signIn, token, 'her phone', now)).toEqual({ email: CLARA, way: 'email' });
  });

  test('stores the name that an owner gives a passkey', async () => {
    const { signIn } = await openSignIn(name);
    const passkey = { id: 'x', email: CLARA, public_key: '', counter: 0, rp_id: 'example.org', used_at: null };
    await signIn.store.db
      .insertInto('desk_passkeys')
      .values({ ...passkey, name: 'Chrome on Android' })
      .execute();
    await renamePasskey(signIn, 'x', 'My phone');
    expect((await listPasskeys(signIn)).map((each) => each.name)).toEqual(['My phone']);
  });

  test('doesn’t accept a passkey’s challenge as a link, and keeps only a thousand challenges', async () => {
    const { signIn } = await openSignIn(name);
    const site = { origin: 'https://www.example.org', name: 'Example' };
    const { challenge, rpId } = await askForPasskey(signIn, site, now);
    expect(rpId).toBe('example.org');
    expect(await readLink(signIn, challenge, undefined, now)).toBe('old');
    expect(await useLink(signIn, challenge, undefined, now)).toBeUndefined();
    const { db } = signIn.store;
    const waiting = { kind: 'passkey' as const, email: null, code: null, browser: null, network: null, tries: 0 };
    const rows = Array.from({ length: 1000 }, (_, at) => ({
      ...waiting,
      id: `${at}`,
      expires_at: toIso(now + 60_000 + at),
    }));
    await db.insertInto('desk_links').values(rows).execute();
    await askForPasskey(signIn, site, now);
    expect(await db.selectFrom('desk_links').select('id').execute()).toHaveLength(1000);
  });

  test('ends a session after 14 days without use and after 90 days in all; automatic refreshes don’t count as use', async () => {
    const { signIn, session, find } = await openSignIn(name);
    expect(await findSession(signIn, session, { isUse: false, now: now + 13 * DAY_MS })).toBeDefined();
    expect(await find(session, now + 14 * DAY_MS)).toBeUndefined();
    for (let day = 10; day < 90; day += 10) expect(await find(session, now + day * DAY_MS)).toBeDefined();
    expect(await find(session, now + 90 * DAY_MS)).toBeUndefined();
    expect(await listSessions(signIn, now + 90 * DAY_MS)).toEqual([]);
  });

  test('ends the browser’s earlier session on sign-in, and rejects a token that nobody issued', async () => {
    const { begin, find, session } = await openSignIn(name);
    const next = await begin(CLARA, now, session);
    expect(await find(session)).toBeUndefined();
    expect(await find('made-up')).toBeUndefined();
    expect((await find(next))?.email).toBe(CLARA);
  });

  test('lets the person who used the terminal’s link give the first address, which the session then belongs to', async () => {
    const { signIn, find, session, begin } = await openSignIn(name);
    expect(await isUnclaimed(signIn)).toBe(false);
    expect((await find(session))?.email).toBe(CLARA);
    const known = await addPerson(signIn, CLARA, (await find(await begin(null)))!);
    expect(known).toEqual({ email: CLARA, isNew: false });
    await expect(addPerson(signIn, 'clara', (await find(session))!)).rejects.toThrow(/^Type an email address/);
    expect(await listPeople(signIn)).toEqual([CLARA]);
  });

  test('signs a removed person out and invalidates their links, but doesn’t remove the last person', async () => {
    const { signIn, find, session, begin } = await openSignIn(name);
    await expect(removePerson(signIn, CLARA)).rejects.toThrow(/^Add another person first/);
    await addPerson(signIn, 'max@example.org', (await find(session))!);
    const his = await begin('max@example.org');
    const { token } = (await makeEmailLink(signIn, 'max@example.org', { browser: 'his phone', network: '' }, now))!;
    await removePerson(signIn, 'max@example.org');
    expect(await find(his)).toBeUndefined();
    expect(await readLink(signIn, token, 'his phone', now)).toBe('old');
    expect(await find(session)).toBeDefined();
  });

  test('ends every session and invalidates every link when signing out everywhere', async () => {
    const { signIn, session, begin, find, askForLink } = await openSignIn(name);
    const { token } = await askForLink();
    const other = await begin(CLARA);
    await endAllSessions(signIn);
    for (const each of [session, other]) expect(await find(each)).toBeUndefined();
    expect(await readLink(signIn, token, 'her laptop', now)).toBe('old');
  });

  test('stores no cookie, link or code in the database', async () => {
    const { signIn, session, askForLink } = await openSignIn(name);
    const { token, code } = await askForLink('token of the asking browser');
    const { db } = signIn.store;
    const rows = await Promise.all([
      db.selectFrom('desk_links').selectAll().execute(),
      db.selectFrom('desk_sessions').selectAll().execute(),
    ]);
    const stored = JSON.stringify(rows);
    for (const value of [session, token, code, 'token of the asking browser']) expect(stored).not.toContain(value);
  });
});
