import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuiltSite, readBuiltSite } from '#build/built-site.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import { obtainNewest } from '#publishing/live-version.ts';
import type { SitePlaces } from '#publishing/obtain-site.ts';
import type { Environment } from '#settings/environment.ts';

/** The folders that a built program uses. */
export type Places = {
  /** The folder of the build, with `site` and `content.json` in it. */
  build: string;
  /** The built site. */
  site: string;
  /** The folder of the owner's content; undefined if there is only the build. */
  content: string | undefined;
  /** The project's content/updates, or its copy in the build. */
  updates: string;
  project: string | undefined;
  /** Whether the program was started by Compose. */
  isInContainer: boolean;
};

/** The folders in which the live site is looked up. */
export function toSitePlaces({
  places,
  env,
}: {
  places: Pick<Places, 'build'>;
  env: Pick<Environment, 'DATA_DIR'>;
}): SitePlaces {
  return { build: places.build, dataDir: env.DATA_DIR };
}

/** Reads the site that visitors see; emails use its content too. */
export async function readShownSite(from: Parameters<typeof toSitePlaces>[0] & { store: Store }): Promise<BuiltSite> {
  return readBuiltSite((await obtainNewest(toSitePlaces(from), from.store, undefined)).folder);
}

/** @param program the URL of the program, which is next to the built site in the build */
export function findPlaces(program: string, variables: Record<string, string | undefined> = process.env): Places {
  const path = (relative: string) => fileURLToPath(new URL(relative, program));
  const root = path('../..');
  const project = existsSync(join(root, 'tools/run.mjs')) ? root : undefined;
  const content = variables.CONTENT_DIR ?? (project && join(project, 'content'));
  const site = path('../site');
  const isInContainer = variables.DESK_IN_CONTAINER === 'yes';
  return {
    build: path('..'),
    site,
    content,
    updates: content ? join(content, 'updates') : path('./updates'),
    project,
    isInContainer,
  };
}
