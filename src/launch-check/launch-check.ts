/**
 * `npm run launch-check`: lists everything to fix before going live. With an address (`-- https://…`) it looks at
 * the live site as well. Exit code 1 while there is a finding.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { readBuiltSite } from '#build/built-site.ts';
import type { Agency } from '#content/schemas/agency-schema.ts';
import { makeSiteHeaders } from '#build/headers.ts';
import { readWholeContent } from '#content/read-content-folder.ts';
import { answer, type Answer } from '#cli/print.ts';
import { readOption, runCommand } from '#cli/run-command.ts';
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
  .argument('[address]', 'of the live site, such as https://www.example.org', readOption(readLiveUrl))
  .option('--json', 'answer in JSON')
  .exitOverride()
  .action(async (origin: string | undefined, options: Answer) => {
    const findings = await check(origin);
    answer(options, { findings }, report(findings));
    if (findings.length > 0) process.exitCode = 1;
  });

async function check(origin: string | undefined): Promise<Finding[]> {
  const { agency } = await readWholeContent(contentFolder);
  const settings = checkSettings(agency, { SITE_URL: origin, ...process.env });
  // The live site is compared with a build for its URL.
  if (origin) process.env.SITE_URL = origin;
  build();
  return [
    ...checkContent(contentFolder),
    ...checkCountry(agency),
    ...settings,
    ...checkBuiltSite(out, agency),
    ...(origin ? await checkLiveSite(origin, readExpected(agency)) : []),
  ];
}

function readExpected({ tags }: Agency): Expected {
  const headers = makeSiteHeaders(readBuiltSite(out), tags);
  const paths = readPages(out).map(({ path }) => path);
  return {
    paths: paths.filter((path) => path !== '/404'),
    headersFor: (path) => ({ ...headers.everywhere, ...headers.forPath(path) }),
  };
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
