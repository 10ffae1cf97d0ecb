import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { explainQueryFailure } from '#newsletter/database/explain-store-failure.ts';
import { STORE_FILE } from '#newsletter/database/open-store.ts';
import { type Opened, openSources } from '#newsletter/open-list.ts';
import { parseEnvironment } from '#settings/environment.ts';

/**
 * Creates a command's action, which opens the server's store, calls `run` with it and the command's arguments and
 * options, and closes it. Throws if there is no store, because a command run in the wrong folder must not create one.
 */
export function onStore<Args extends unknown[]>(run: (opened: Opened, ...args: Args) => Promise<void>) {
  return async (...args: Args): Promise<void> => {
    const env = parseEnvironment(process.env);
    if (env.DATABASE_URL === undefined && !existsSync(join(env.DATA_DIR, STORE_FILE))) {
      throw new Error(`There are no sign-ups in ${env.DATA_DIR} yet (set DATA_DIR or DATABASE_URL as for the server).`);
    }
    const opened = await openSources(env);
    try {
      await run(opened, ...args);
    } catch (error) {
      throw explainQueryFailure(error, env);
    } finally {
      await opened.store.close();
    }
  };
}
