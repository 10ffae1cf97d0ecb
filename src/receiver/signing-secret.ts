import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from './store/open-store.ts';
import { restrict } from './store/owner-only.ts';

/** The file in DATA_DIR that holds the secret when SIGNING_SECRET is not given. */
export const SECRET_FILE = 'signing-secret';

/**
 * The secret that signs links and keys hashes: the given one, or one made once and kept in the data folder.
 * @param given SIGNING_SECRET, which instances that share one database must share too
 * @throws when the database was begun with another secret: its links and hashes would all be void
 */
export async function openSigningSecret(store: Store, dataDir: string, given: string | undefined): Promise<string> {
  const secret = given ?? readOrMakeSecret(dataDir);
  const fingerprint = createHash('sha256').update(`fingerprint:${secret}`).digest('base64url');
  const known = await store.transaction(async (tx) => {
    await tx
      .insertInto('facts')
      .values({ name: FINGERPRINT, value: fingerprint })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return tx.selectFrom('facts').select('value').where('name', '=', FINGERPRINT).executeTakeFirstOrThrow();
  });
  if (known.value === fingerprint) return secret;
  throw new Error(
    `SIGNING_SECRET: expected the secret that this database was begun with (of SIGNING_SECRET or of the file ${SECRET_FILE} in DATA_DIR); with another one every link mailed so far would stop working`,
  );
}

const FINGERPRINT = 'signing-secret-fingerprint';

function readOrMakeSecret(dataDir: string): string {
  const path = join(dataDir, SECRET_FILE);
  restrict(path, 0o600);
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // Written apart and then linked, so that two processes that begin together end with one whole secret.
  const draft = `${path}.${process.pid}`;
  const file = openSync(draft, 'w', 0o600);
  writeSync(file, `${randomBytes(32).toString('base64url')}\n`);
  fsyncSync(file);
  closeSync(file);
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(path, 'utf8').trim();
}
