import type { Environment } from '#settings/environment.ts';
import { openSigningSecret } from '#newsletter/subscribers/signing-secret.ts';
import { explainStoreFailure } from '#newsletter/database/explain-store-failure.ts';
import { readEnvironment } from './owner-settings/settings-store.ts';
import { COMMAND_WAITS, openStore, type Store } from '#newsletter/database/open-store.ts';

/** The list, as the desk and the commands use it. */
export type Opened = {
  /** With the owner's settings. */
  env: Environment;
  store: Store;
  secret: string;
};

/** Opens the server's store, or creates it; the caller closes it. @throws an error that tells the owner what to do */
export async function openSources(env: Environment): Promise<Opened> {
  const place = { databaseUrl: env.DATABASE_URL, dataDir: env.DATA_DIR };
  const store = await openStore({ ...place, waits: COMMAND_WAITS }).catch((error: unknown) => {
    throw explainStoreFailure(error, place);
  });
  try {
    const secret = await openSigningSecret(store, env.DATA_DIR, env.SIGNING_SECRET);
    return { env: await readEnvironment(store, secret, env), store, secret };
  } catch (error) {
    await store.close();
    throw error;
  }
}
