/**
 * `npm run desk`: prints a sign-in link to the desk, and opens it in the browser. If no server is running, it starts the site on this
 * machine, as is usual for a site on a static host.
 */
import { Command } from 'commander';
import { runCommand } from '#cli/run-command.ts';
import { write } from '#cli/print.ts';
import { openSources } from '#newsletter/open-list.ts';
import { findPlaces } from '#server/find-places.ts';
import { startSite } from '#server/start-site.ts';
import { type Environment, parseEnvironment } from '#settings/environment.ts';
import { LINK_MINUTES, makeTerminalLink } from '#sign-in/sign-in-links.ts';
import { findRunningDesk } from '#sign-in/running-desk.ts';
import { openBrowser } from './open-browser.ts';
import { runsThisSoftware } from './website/open-site.ts';

const command = new Command('desk')
  .description('Prints a one-time link to your desk, and opens it in your browser.')
  .option('--no-open', 'only print the link')
  .exitOverride()
  .action(openDesk);

async function openDesk({ open }: { open: boolean }): Promise<void> {
  const env = parseEnvironment(process.env);
  const link = await makeLink(env);
  if (link !== undefined) {
    write(`Desk:     ${link}\nThis link works once, for ${LINK_MINUTES} minutes.\n`);
    if (open) openBrowser(link);
    return;
  }
  if (findPlaces(import.meta.url).isInContainer) {
    throw new Error('The site isn’t running. Start it with docker compose up --detach, then run this command again.');
  }
  const local = await startSite({ ...env, HOST: 'localhost' }, { program: import.meta.url, isDeskLocal: true });
  write('Press Ctrl-C to stop it.\n');
  if (open && local !== undefined) openBrowser(local);
}

/** @returns a link to the running server; undefined if there is none */
async function makeLink(env: Environment): Promise<string | undefined> {
  const sources = await openSources(env);
  try {
    const running = await findRunningDesk(sources.store, runsThisSoftware);
    if (running === undefined) return undefined;
    return `${running.origin}/desk/sign-in/${await makeTerminalLink(sources, Date.now())}`;
  } finally {
    await sources.store.close();
  }
}

// Last, once everything above is defined.
await runCommand(command);
