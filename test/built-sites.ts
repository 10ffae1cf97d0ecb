import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { listFiles } from '#content/list-files.ts';
import { listUrlPaths, readBuiltSite } from '#build/built-site.ts';
import { type Agency, MAXIMAL, MINIMAL, writeAgency } from './agencies.ts';
import { TEST_CONTENT } from './test-content.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The SITE_URL of the built sites that have one. */
export const PUBLIC_URL = 'https://www.example.org';

/** The tests' content, built without SITE_URL, as `npm start` does. */
export const TEST_SITE = join(root, 'dist-test/plain');
/** The tests' content, built for PUBLIC_URL. */
export const PUBLIC_SITE = join(root, 'dist-test/public');
/** The made-up agencies, built without SITE_URL; a server for one also gets its settings. */
export const MAXIMAL_SITE = placeAgency(MAXIMAL);
export const MINIMAL_SITE = placeAgency(MINIMAL);
export const AGENCIES = [MAXIMAL_SITE, MINIMAL_SITE];

/** Builds the sites that are missing or older than their sources. */
export async function buildSites(): Promise<void> {
  for (const { agency, content } of AGENCIES) await writeAgency(agency, content);
  const sites = [
    { build: TEST_SITE, content: TEST_CONTENT, env: {} },
    { build: PUBLIC_SITE, content: TEST_CONTENT, env: { SITE_URL: PUBLIC_URL } },
    ...AGENCIES,
  ];
  for (const { build, content, env } of sites) {
    if (!isOlder(build, content)) continue;
    const variables = { CONTENT_DIR: content, ...env };
    // Without the hashed files of the build before, which would be kept.
    await rm(build, { recursive: true, force: true });
    if (build === TEST_SITE) {
      await buildInto(build, variables);
      continue;
    }
    // All use the code of the first build.
    await cp(TEST_SITE, build, { recursive: true });
    await buildInto(build, variables, '--content');
  }
}

/** Whether a build is missing or older than its sources. */
export function isOlder(build: string, content: string): boolean {
  const findTime = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const built = findTime(join(build, 'content.json'));
  const folders = [content, ...['public', 'src', 'tools/build'].map((folder) => join(root, folder))];
  const inFolders = folders.flatMap((folder) => listFiles(folder).map((file) => join(folder, file)));
  return [join(root, 'package-lock.json'), join(root, 'vite.config.ts'), ...inFolders].some(
    (file) => !/\.test\.tsx?$/.test(file) && findTime(file) > built,
  );
}

/**
 * @param env the whole environment of the build
 * @param args `--content` keeps the existing build's code
 * @throws {Error} with the build's output
 */
export async function buildInto(folder: string, env: Record<string, string>, ...args: '--content'[]): Promise<void> {
  const build = promisify(execFile)(process.execPath, [join(root, 'tools/build/build.ts'), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, OUT_DIR: folder, ...env },
  });
  await build.catch((error: Error & { stderr?: string }) => {
    throw new Error(`The site of ${env.CONTENT_DIR ?? 'content/'} was not built:\n${error.stderr ?? error.message}`);
  });
}

function placeAgency(agency: Agency) {
  const build = join(root, `dist-test/agency-${agency.name}`);
  return { agency, name: agency.name, env: agency.env, build, content: `${build}-content` };
}

/** A page of a built site: its path, and its file in the build's `site` folder. */
export type BuiltPage = { path: string; file: string };

/** Every page of a built site, including the 404 page. */
export function listPages(build: string): BuiltPage[] {
  if (!existsSync(join(build, 'site'))) {
    throw new Error(`There is no build in ${build}: node test/build-test-sites.ts makes it`);
  }
  const { documents } = readBuiltSite(build);
  return [...listUrlPaths(build)]
    .filter(([, file]) => documents.includes(file))
    .map(([path, file]) => ({ path, file }));
}

/** Every page of a built site that search engines may list. */
export function listIndexedPages(build: string): BuiltPage[] {
  const isListed = ({ file }: BuiltPage) =>
    !/<meta name="robots" content="noindex"/.test(readFileSync(join(build, 'site', file), 'utf8'));
  return listPages(build).filter(isListed);
}
