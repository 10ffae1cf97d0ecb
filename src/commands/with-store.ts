import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, parseEnvironment } from '#settings/environment.ts';
import { openSigningSecret } from '#newsletter/subscribers/signing-secret.ts';
import { explainQueryFailure, explainStoreFailure } from '#newsletter/database/explain-store-failure.ts';
import { COMMAND_WAITS, openStore, type Store, STORE_FILE } from '#newsletter/database/open-store.ts';

/** Everything a command works with. */
export type Opened = { env: Environment; store: Store; secret: string };

/**
 * Creates the action of a command: it opens the server's store, calls `act` with it and the command's arguments and
 * options, and closes it. It throws if there is no store: a command in the wrong folder must not create one.
 */
export function onStore<Args extends unknown[]>(act: (opened: Opened, ...args: Args) => Promise<void>) {
  return async (...args: Args): Promise<void> => {
    const env = parseEnvironment(process.env);
    if (env.DATABASE_URL === undefined && !existsSync(join(env.DATA_DIR, STORE_FILE))) {
      throw new Error(`No sign-ups are kept in ${env.DATA_DIR} yet (set DATA_DIR or DATABASE_URL as for the server).`);
    }
    const opened = await openSources(env);
    try {
      await act(opened, ...args);
    } catch (error) {
      throw explainQueryFailure(error, env);
    } finally {
      await opened.store.close();
    }
  };
}

/** Opens the server's store, or creates it; the caller closes it. @throws saying what to do */
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
