import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { explainCodes } from '#shared/explain-codes.ts';
import { keepMetadata, readMetadata } from '../database/metadata.ts';
import type { Store } from '../database/open-store.ts';
import { restrict } from '../database/owner-only.ts';

/** The file in DATA_DIR that holds the secret if SIGNING_SECRET isn't set. */
export const SECRET_FILE = 'signing-secret';

/**
 * Reads the secret that signs links and keys hashes: the given one, or one that is generated once and kept in DATA_DIR.
 * @param given SIGNING_SECRET, which instances that share a database must also share
 * @throws if the database was created with another secret, since all links and hashes would be invalid
 */
export async function openSigningSecret(store: Store, dataDir: string, given: string | undefined): Promise<string> {
  const isNew = (await readMetadata(store.db, FINGERPRINT)) === undefined;
  const secret = given ?? readOrMakeSecret(dataDir, isNew);
  const fingerprint = makeFingerprint(secret);
  const known = await store.transaction((tx) => keepMetadata(tx, FINGERPRINT, fingerprint));
  if (known === fingerprint) return secret;
  throw new Error(
    `SIGNING_SECRET: expected the secret that this database was created with (SIGNING_SECRET, or the file ${SECRET_FILE} in DATA_DIR); with another, every link emailed so far would stop working`,
  );
}

const FINGERPRINT = 'signing-secret-fingerprint';

function makeFingerprint(secret: string): string {
  return createHash('sha256').update(`fingerprint:${secret}`).digest('base64url');
}

/** @param isNew whether no secret has been used with this database yet, so that any will do */
function readOrMakeSecret(dataDir: string, isNew: boolean): string {
  const path = join(dataDir, SECRET_FILE);
  if (!existsSync(path)) makeSecret(dataDir, path);
  restrict(path, 0o600);
  const secret = readSecret(path);
  // Anybody could forge links signed with a short secret. The same rule applies to SIGNING_SECRET.
  if (secret.length >= MIN_CHARACTERS) return secret;
  throw new Error(
    `DATA_DIR: expected at least ${MIN_CHARACTERS} characters in ${resolve(path)}, found ${secret.length}; ${isNew ? 'delete it, and the server will make a new one' : 'restore the file from a backup. With another secret, the list can’t be opened'}`,
  );
}

/** Doesn't replace a file that another process has just created. */
function makeSecret(dataDir: string, path: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const secret = `${randomBytes(32).toString('base64url')}\n`;
  try {
    writeFileSync(path, secret, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function readSecret(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new Error(`DATA_DIR: ${resolve(path)} cannot be read: ${explainCodes(code)}`, { cause: error });
  }
}

const MIN_CHARACTERS = 32;
