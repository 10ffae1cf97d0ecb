import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Transaction } from 'kysely';
import { toIso } from '#newsletter/database/iso-time.ts';
import type { Schema } from '#newsletter/database/schema.ts';
import type { DeskPasskey, DeskSession } from '#newsletter/database/sign-in-schema.ts';
import { hashKeyed } from './keyed-hash.ts';
import { insertLink, type SignedIn, type SignInStore } from './sign-in-links.ts';

/** The site that passkeys are for. @property origin exactly as browsers send it */
export type PasskeySite = { origin: string; name: string };

/**
 * Finds the relying party ID: passkeys created on `www.` work without it too. Browsers create none for IP addresses.
 */
export function findRpId(origin: string): string {
  return new URL(origin).hostname.replace(/^www\./, '');
}

/** @returns the options for the browser; their challenge works once, for five minutes */
export async function askForPasskey({ store, secret }: SignInStore, { origin }: PasskeySite, now: number) {
  const options = await generateAuthenticationOptions({
    rpID: findRpId(origin),
    userVerification: 'required',
    timeout: CHALLENGE_MS,
  });
  const id = hashKeyed('passkey-sign-in', options.challenge, secret);
  await store.transaction(async (tx) => {
    await tx.deleteFrom('desk_links').where('expires_at', '<=', toIso(now)).execute();
    await insertLink({ db: tx }, { id, kind: 'passkey' }, now + CHALLENGE_MS);
    await dropOldChallenges(tx);
  });
  return options;
}

/** Verifies a passkey's signature and redeems its challenge. @returns undefined if the sign-in is rejected */
export async function usePasskey(
  { store, secret }: SignInStore,
  response: AuthenticationResponseJSON,
  { origin }: PasskeySite,
  now: number,
): Promise<SignedIn | undefined> {
  const passkey = await store.db
    .selectFrom('desk_passkeys')
    .selectAll()
    .where('id', '=', response.id)
    .executeTakeFirst();
  if (passkey === undefined) return undefined;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge) => takeChallenge(store, hashKeyed('passkey-sign-in', challenge, secret), now),
    expectedOrigin: origin,
    expectedRPID: findRpId(origin),
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: 0,
    },
  });
  const { newCounter, credentialBackedUp } = authenticationInfo;
  // The counter of a cloned security key falls behind. Synced passkeys may have a separate counter on each device.
  const isBehind = newCounter <= passkey.counter && passkey.counter > 0 && !credentialBackedUp;
  if (!verified || isBehind) return undefined;
  await store.transaction((tx) =>
    tx
      .updateTable('desk_passkeys')
      .set({ counter: newCounter, used_at: toIso(now) })
      .where('id', '=', passkey.id)
      .execute(),
  );
  return { email: passkey.email, way: 'passkey' };
}

/** @returns the options with which a session's browser creates a passkey; the challenge works only in that session */
export async function askForNewPasskey(
  { store, secret }: SignInStore,
  session: DeskSession & { email: string },
  { origin, name }: PasskeySite,
  now: number,
) {
  const { email } = session;
  const known = await store.db.selectFrom('desk_passkeys').select('id').where('email', '=', email).execute();
  const options = await generateRegistrationOptions({
    rpName: name,
    rpID: findRpId(origin),
    userName: email,
    userID: new Uint8Array(Buffer.from(hashKeyed('passkey-owner', email, secret), 'base64url')),
    excludeCredentials: known,
    // No address is typed, so the device itself must know whose passkey it is.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: CHALLENGE_MS,
  });
  const id = hashKeyed('new-passkey', `${session.id}:${options.challenge}`, secret);
  await store.transaction((tx) => insertLink({ db: tx }, { id, kind: 'passkey', email }, now + CHALLENGE_MS));
  return options;
}

/** Stores a new passkey. @param name the browser's name @returns whether it is valid */
export async function addPasskey(
  { store, secret }: SignInStore,
  session: DeskSession & { email: string },
  response: RegistrationResponseJSON,
  { site: { origin }, name, now }: { site: PasskeySite; name: string; now: number },
): Promise<boolean> {
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: (challenge) =>
      takeChallenge(store, hashKeyed('new-passkey', `${session.id}:${challenge}`, secret), now),
    expectedOrigin: origin,
    expectedRPID: findRpId(origin),
    supportedAlgorithmIDs: ALGORITHMS,
  });
  if (!verified) return false;
  const { id, publicKey, counter } = registrationInfo.credential;
  const passkey = {
    id,
    email: session.email,
    name,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    rp_id: findRpId(origin),
    used_at: null,
  };
  await store.transaction((tx) => tx.insertInto('desk_passkeys').values(passkey).execute());
  return true;
}

/** Lists everybody's passkeys. */
export function listPasskeys({ store: { db } }: SignInStore): Promise<DeskPasskey[]> {
  return db.selectFrom('desk_passkeys').selectAll().orderBy('email').orderBy('name').execute();
}

/** Removes a passkey. @param id the credential's */
export async function removePasskey({ store }: SignInStore, id: string): Promise<void> {
  await store.transaction((tx) => tx.deleteFrom('desk_passkeys').where('id', '=', id).execute());
}

/** Names a passkey as its owner knows it, such as "My phone". @param id the credential's */
export async function renamePasskey({ store }: SignInStore, id: string, name: string): Promise<void> {
  await store.transaction((tx) => tx.updateTable('desk_passkeys').set({ name }).where('id', '=', id).execute());
}

async function takeChallenge(store: SignInStore['store'], id: string, now: number): Promise<boolean> {
  const taken = await store.transaction((tx) =>
    tx
      .deleteFrom('desk_links')
      .where('id', '=', id)
      .where('expires_at', '>', toIso(now))
      .returning('id')
      .executeTakeFirst(),
  );
  return taken !== undefined;
}

/** Anybody may ask for a challenge, so only the last thousand are kept. */
async function dropOldChallenges(tx: Transaction<Schema>): Promise<void> {
  const beyond = await tx
    .selectFrom('desk_links')
    .select('expires_at')
    .where('kind', '=', 'passkey')
    .where('email', 'is', null)
    .orderBy('expires_at', 'desc')
    .offset(MAX_CHALLENGES)
    .limit(1)
    .executeTakeFirst();
  if (beyond === undefined) return;
  await tx
    .deleteFrom('desk_links')
    .where('kind', '=', 'passkey')
    .where('email', 'is', null)
    .where('expires_at', '<=', beyond.expires_at)
    .execute();
}

const CHALLENGE_MS = 5 * 60_000;
const MAX_CHALLENGES = 1000;

/** EdDSA, ES256 and RS256: every authenticator supports at least one of them, and Node warns about ML-DSA. */
const ALGORITHMS = [-8, -7, -257];
