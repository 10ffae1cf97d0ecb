import { openSources } from '#newsletter/open-list.ts';
import { obtainNewest } from '#publishing/live-version.ts';
import type { Environment } from '#settings/environment.ts';

/**
 * Checks whether the owner's published content still matches the schemas, before a server is restarted with other
 * software.
 * @param build absolute path of the build
 * @returns a line for each field that doesn't
 */
export async function checkPublished(build: string, env: Environment): Promise<string[]> {
  const { store } = await openSources(env);
  try {
    const { misfits } = await obtainNewest({ build, dataDir: env.DATA_DIR }, store, undefined);
    return misfits.map(({ key, message }) => `${key}: ${message}`);
  } finally {
    await store.close();
  }
}
