/**
 * `npm run launch-check`: lists everything to fix before going live. With an address (`-- https://…`) it looks at
 * the live site as well. The exit code is 1 if there are findings.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { readBuiltSite } from '#build/built-site.ts';
import type { Agency } from '#content/schemas/agency-schema.ts';
import { makeSiteHeaders } from '#build/headers.ts';
import { readWholeContent } from '#content/read-content-folder.ts';
import { printResult, type JsonOption } from '#cli/print.ts';
import { readOption, runCommand } from '#cli/run-command.ts';
import { STORE_FILE } from '#newsletter/database/open-store.ts';
import { openSources } from '#newsletter/open-list.ts';
import { obtainNewest } from '#publishing/live-version.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { checkBuiltSite } from './check-built-site.ts';
import { checkContent } from './check-content.ts';
import { checkCountry, checkSettings } from './check-settings.ts';
import { checkLiveSite, type Expected, readLiveUrl } from './check-live-site.ts';
import { readPages } from './read-page.ts';
import type { Finding } from './finding.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const contentFolder = process.env.CONTENT_DIR ?? `${root}content`;
const out = process.env.OUT_DIR ?? `${root}dist`;

const command = new Command('launch-check')
  .description('Lists what is left to do before this site goes live.')
  .argument('[address]', 'the live site’s address, such as https://www.example.org', readOption(readLiveUrl))
  .option('--json', 'answer in JSON')
  .exitOverride()
  .action(async (origin: string | undefined, options: JsonOption) => {
    const findings = await check(origin);
    printResult(options, { findings }, report(findings));
    if (findings.length > 0) process.exitCode = 1;
  });

async function check(origin: string | undefined): Promise<Finding[]> {
  // Mistakes in the content are reported before anything is built.
  await readWholeContent(contentFolder);
  const settings = { SITE_URL: origin, ...process.env };
  // The live site is compared with a build for its URL.
  if (origin) process.env.SITE_URL = origin;
  build();
  const shown = await findShownSite();
  const content = shown === out ? contentFolder : join(shown, 'content');
  const { agency } = await readWholeContent(content);
  return [
    ...checkContent(content),
    ...checkCountry(agency),
    ...checkSettings(agency, settings),
    ...checkBuiltSite(shown, agency),
    ...(origin ? await checkLiveSite(origin, readExpected(shown, agency)) : []),
  ];
}

function readExpected(site: string, { tags }: Agency): Expected {
  const headers = makeSiteHeaders(readBuiltSite(site), tags);
  const paths = readPages(site).map(({ path }) => path);
  return {
    paths: paths.filter((path) => path !== '/404'),
    headersFor: (path) => ({ ...headers.everywhere, ...headers.forPath(path) }),
  };
}

/** @returns the folder of the site that visitors see, with everything that the owner has published */
async function findShownSite(): Promise<string> {
  const env = parseEnvironment(process.env);
  if (env.DATABASE_URL === undefined && !existsSync(join(env.DATA_DIR, STORE_FILE))) return out;
  const { store } = await openSources(env);
  try {
    return (await obtainNewest({ build: out, dataDir: env.DATA_DIR }, store, undefined)).folder;
  } finally {
    await store.close();
  }
}

/** Builds the site. */
function build(): void {
  const { status } = spawnSync(process.execPath, [`${root}tools/run.mjs`, '--build'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exit(1);
}

function report(findings: Finding[]): string {
  const lines = findings.map(({ where, problem, advice }) => `✗ ${where}\n  ${problem}\n  → ${advice}\n`);
  const count = findings.length;
  const sum = count === 0 ? 'Ready to launch.' : `${count} ${count === 1 ? 'finding' : 'findings'}`;
  return [...lines, `${sum}\n`].join('\n');
}

await runCommand(command);
