import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listAddresses, readBuiltSite } from '#server/built-site.ts';
import { isBuildFresh } from '../tools/setup/build-stamp.mjs';
import { buildInto } from './build-site.ts';
import { TEST_CONTENT } from './test-content.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where the built sites that have an address say that they are. */
export const PUBLIC_URL = 'https://www.example.org';

/** The tests' own content, built without an address, as `npm start` builds it. */
export const TEST_SITE = join(root, 'dist-test/plain');
/** The tests' own content, built for PUBLIC_URL. */
export const PUBLIC_SITE = join(root, 'dist-test/public');

const SITES = [
  { folder: TEST_SITE, env: { CONTENT_DIR: TEST_CONTENT } },
  { folder: PUBLIC_SITE, env: { CONTENT_DIR: TEST_CONTENT, SITE_URL: PUBLIC_URL } },
];

/** Builds each of them whose sources are newer than it is; all of them, or those in these folders. */
export async function buildSites(folders = SITES.map(({ folder }) => folder)): Promise<void> {
  for (const { folder, env } of SITES.filter((site) => folders.includes(site.folder))) {
    if (!isBuildFresh(root, folder, env)) await buildInto(folder, env);
  }
}

/** A page of a built site: its address, and its file in the folder `site` of the build. */
export type BuiltPage = { path: string; file: string };

/** Every page of a built site, the 404 page too. */
export function listPages(build: string): BuiltPage[] {
  if (!existsSync(join(build, 'site'))) {
    throw new Error(`There is no build in ${build}: node test/build-test-sites.ts makes it`);
  }
  const { documents } = readBuiltSite(build);
  return [...listAddresses(build)]
    .filter(([, file]) => documents.includes(file))
    .map(([path, file]) => ({ path, file }));
}

/** Every page of a built site that search engines may list. */
export function listIndexedPages(build: string): BuiltPage[] {
  const isListed = ({ file }: BuiltPage) =>
    !/<meta name="robots" content="noindex"/.test(readFileSync(join(build, 'site', file), 'utf8'));
  return listPages(build).filter(isListed);
}
