import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, parseEnvironment } from '#shared/environment.ts';
import { openSigningSecret } from '#newsletter/subscribers/signing-secret.ts';
import { explainQueryFailure, explainStoreFailure } from '#newsletter/database/explain-store-failure.ts';
import { COMMAND_WAITS, openStore, type Store, STORE_FILE } from '#newsletter/database/open-store.ts';

/** Everything a command works with. */
export type Opened = { env: Environment; store: Store; secret: string };

/**
 * Makes the action of a command: it opens the store that the server uses, calls `act` with it and with the command's
 * own arguments and options, and closes it. It throws when there is no store yet: a command in the wrong place must
 * make none.
 */
export function onStore<Words extends unknown[]>(act: (opened: Opened, ...words: Words) => Promise<void>) {
  return async (...words: Words): Promise<void> => {
    const env = parseEnvironment(process.env);
    if (env.DATABASE_URL === undefined && !existsSync(join(env.DATA_DIR, STORE_FILE))) {
      throw new Error(`No sign-ups are kept in ${env.DATA_DIR} yet (set DATA_DIR or DATABASE_URL as for the server).`);
    }
    const opened = await openSources(env);
    try {
      await act(opened, ...words);
    } catch (error) {
      throw explainQueryFailure(error, env);
    } finally {
      await opened.store.close();
    }
  };
}

/** Opens the store that the server uses, or makes it; the caller closes it. @throws in words what to do */
export async function openSources(env: Environment): Promise<Opened> {
  const place = { databaseUrl: env.DATABASE_URL, dataDir: env.DATA_DIR };
  const store = await openStore({ ...place, waits: COMMAND_WAITS }).catch((error: unknown) => {
    throw explainStoreFailure(error, place);
  });
  try {
    const secret = await openSigningSecret(store, env.DATA_DIR, env.SIGNING_SECRET);
    return { env, store, secret };
  } catch (error) {
    await store.close();
    throw error;
  }
}
