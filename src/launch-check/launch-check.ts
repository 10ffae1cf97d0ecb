/**
 * `npm run launch-check`: lists everything to fix before going live. Given an address (`-- https://…`), it also
 * checks the live site. The exit code is 1 if there are findings.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { readWholeContent } from '#content/read-content-folder.ts';
import { printResult, type JsonOption } from '#cli/print.ts';
import { readOption, runCommand } from '#cli/run-command.ts';
import { STORE_FILE } from '#newsletter/database/open-store.ts';
import { openSources } from '#newsletter/open-list.ts';
import { readOwnerValues } from '#newsletter/owner-settings/settings-store.ts';
import { listSources } from '#newsletter/updates/stored-emails.ts';
import { listFileSources } from '#newsletter/updates/update-files.ts';
import { obtainNewest } from '#publishing/live-version.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { type CheckedSite, checkSite } from './check-site.ts';
import { readLiveUrl } from './check-live-site.ts';
import type { LaunchFinding } from './finding.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const contentFolder = process.env.CONTENT_DIR ?? `${root}content`;
const dist = process.env.OUT_DIR ?? `${root}dist`;

const command = new Command('launch-check')
  .description('Lists what is left to do before this site goes live.')
  .argument('[address]', 'the live site’s address, such as https://www.example.org', readOption(readLiveUrl))
  .option('--json', 'print JSON')
  .exitOverride()
  .action(async (origin: string | undefined, options: JsonOption) => {
    const findings = await check(origin);
    printResult(options, { findings }, report(findings));
    if (findings.length > 0) process.exitCode = 1;
  });

async function check(origin: string | undefined): Promise<LaunchFinding[]> {
  // Errors in the content are reported before anything is built.
  await readWholeContent(contentFolder);
  const variables = { SITE_URL: origin, ...process.env };
  if (origin === undefined) {
    build(['tools/run.mjs', '--build']);
    return checkSite({ ...(await findShownSite(dist, variables)), origin });
  }
  // Within the project, so that the code in the copy finds the project's packages.
  const copy = mkdtempSync(join(root, 'node_modules/.launch-check-'));
  try {
    buildFor(origin, copy);
    return await checkSite({ ...(await findShownSite(copy, variables)), origin });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Builds the site for the live URL, to compare the two. Uses a copy, since a server may be serving `dist`. */
function buildFor(origin: string, copy: string): void {
  Object.assign(process.env, { SITE_URL: origin, OUT_DIR: copy });
  const isBuilt = existsSync(join(dist, 'content.json'));
  if (isBuilt) cpSync(dist, copy, { recursive: true });
  build(['tools/run.mjs', 'tools/build/build.ts', ...(isBuilt ? ['--content'] : [])]);
}

/** Finds the site that visitors see, with everything that the owner has published, written and set on the desk. */
async function findShownSite(out: string, variables: CheckedSite['variables']): Promise<Omit<CheckedSite, 'origin'>> {
  const env = parseEnvironment(process.env);
  const updates = join(contentFolder, 'updates');
  if (env.DATABASE_URL === undefined && !existsSync(join(env.DATA_DIR, STORE_FILE))) {
    return { shown: out, content: contentFolder, updates: listFileSources(updates), variables };
  }
  const { store, secret } = await openSources(env);
  try {
    const { folder: shown } = await obtainNewest({ build: out, dataDir: env.DATA_DIR }, store, undefined);
    const { values } = await readOwnerValues(store.db, secret);
    return {
      shown,
      content: shown === out ? contentFolder : join(shown, 'content'),
      updates: await listSources(store.db, updates),
      variables: { ...values, ...variables },
    };
  } finally {
    await store.close();
  }
}

/** @param args arguments for Node, which runs in the project's folder */
function build(args: string[]): void {
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exit(1);
}

function report(findings: LaunchFinding[]): string {
  const lines = findings.map(({ where, problem, advice }) => `✗ ${where}\n  ${problem}\n  → ${advice}\n`);
  const count = findings.length;
  const sum = count === 0 ? 'Ready to launch.' : `${count} ${count === 1 ? 'finding' : 'findings'}`;
  return [...lines, `${sum}\n`].join('\n');
}

await runCommand(command);
