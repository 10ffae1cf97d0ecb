import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { askForPasskey, usePasskey } from '#sign-in/passkeys.ts';
import type { SignInStore } from '#sign-in/sign-in-links.ts';
import { freshStore, openPlace } from './setup/running-newsletter.ts';

const CLARA = 'clara@example.org';
const SITE = { origin: 'https://www.example.org', name: 'Example' };
const now = Date.now();

/** Flags of authenticator data: somebody is present and verified; the passkey may be, and is, synced. */
const [VERIFIED, SYNCED] = [0x05, 0x18];

type Signed = { origin?: string; rpId?: string; flags?: number; count?: number; challenge?: string };

/** A desk with a passkey of Clara's that was last used with the given count. */
async function openDeskWithPasskey(counter: number) {
  const signIn: SignInStore = { store: await openPlace(await freshStore()), secret: 'a secret of the tests' };
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const toBytes = (text: string) => Buffer.from(text, 'base64url');
  // COSE: an ES256 key on P-256.
  const [head, between] = [Buffer.from('a5010203262001215820', 'hex'), Buffer.from('225820', 'hex')];
  const cose = Buffer.concat([head, toBytes(x), between, toBytes(y)]).toString('base64url');
  const { db } = signIn.store;
  await db.insertInto('desk_people').values({ email: CLARA }).execute();
  await db
    .insertInto('desk_passkeys')
    .values({ id: 'a2V5', email: CLARA, name: 'Phone', public_key: cose, counter, rp_id: 'example.org', used_at: null })
    .execute();
  const ask = async () => (await askForPasskey(signIn, SITE, now)).challenge;
  const use = async ({
    origin = SITE.origin,
    rpId = 'example.org',
    flags = VERIFIED,
    count = 0,
    challenge,
  }: Signed) => {
    const asked = challenge ?? (await ask());
    const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge: asked, origin }));
    const tail = Buffer.from([flags, 0, 0, 0, count]);
    const authenticatorData = Buffer.concat([createHash('sha256').update(rpId).digest(), tail]);
    const hashed = createHash('sha256').update(clientData).digest();
    const response = {
      authenticatorData: authenticatorData.toString('base64url'),
      clientDataJSON: clientData.toString('base64url'),
      signature: sign('sha256', Buffer.concat([authenticatorData, hashed]), privateKey).toString('base64url'),
    };
    const given = { id: 'a2V5', rawId: 'a2V5', type: 'public-key' as const, clientExtensionResults: {}, response };
    return (await usePasskey(signIn, given, SITE, now).catch(() => undefined))?.email;
  };
  return { ask, use };
}

test('accepts a passkey’s signature only once, of this origin and domain, and of somebody who was verified', async () => {
  const { ask, use } = await openDeskWithPasskey(0);
  const challenge = await ask();
  expect(await use({ challenge })).toBe(CLARA);
  const other: Signed[] = [
    { challenge },
    { origin: 'https://example.org' },
    { origin: 'https://www.example.org.attacker.example' },
    { rpId: 'attacker.example' },
    { flags: 0x01 },
    { challenge: 'never-asked' },
  ];
  for (const signed of other) expect([signed, await use(signed)]).toEqual([signed, undefined]);
});

test('accepts a synced passkey whose count is that of another device, and rejects a copy of a security key', async () => {
  const { use } = await openDeskWithPasskey(50);
  expect(await use({ count: 50 })).toBeUndefined();
  expect(await use({ count: 7, flags: VERIFIED | SYNCED })).toBe(CLARA);
  expect(await use({ count: 7, flags: VERIFIED | SYNCED })).toBe(CLARA);
  expect(await use({ count: 8 })).toBe(CLARA);
});
