/** `npm run desk`: the owner's desk, a page on this machine only. It may be used while the server runs. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import { Command } from 'commander';
import { loadSettings } from '#settings/settings-file.ts';
import { type Environment, parseEnvironment } from '#settings/environment.ts';
import { obtainNewest } from '#publishing/live-version.ts';
import { findPlaces, type Places, toSitePlaces } from '#server/find-places.ts';
import { openSources } from '#newsletter/open-list.ts';
import { write } from '#cli/print.ts';
import { readOption, readPort, runCommand } from '#cli/run-command.ts';
import { createDeskApp } from './desk-app.tsx';
import { openBrowser } from './open-browser.ts';

const command = new Command('desk')
  .description('Opens your desk in the browser: the list, updates, launch check and backups.')
  .option('--port <port>', 'where to show it, on this machine only', readOption(readPort), 4300)
  .option('--no-open', 'only print the address')
  .exitOverride()
  .action(startDesk);

async function startDesk({ port, open }: { port: number; open: boolean }): Promise<void> {
  const settings = loadSettings();
  const env = parseEnvironment(process.env);
  const sources = await openSources(env);
  const token = randomBytes(16).toString('base64url');
  const places = findPlaces(import.meta.url);
  const shown = await obtainNewest(toSitePlaces({ places, env }), sources.store, undefined);
  const ended = Promise.withResolvers<void>();
  const idle = setTimeout(ended.resolve, IDLE_MS);
  const app = createDeskApp({ ...sources, places, shown }, { token, onUse: () => idle.refresh() });
  // The container's own loopback could not be reached; Compose publishes the port on the server's 127.0.0.1.
  const hostname = places.isInContainer ? '0.0.0.0' : '127.0.0.1';
  const server = serve({ fetch: app.fetch, port, hostname }) as Server;
  try {
    await once(server, 'listening');
    const { port: taken } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${taken}/?token=${token}`;
    if (settings) write(`Settings: ${settings}\n`);
    write(`List:     ${sources.store.place}\n`);
    write(`Desk:     ${url}\n${tunnelLine(env, taken, places)}Ctrl-C ends it, and so does an hour unused.\n`);
    if (open) openBrowser(url);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ended.resolve());
    await ended.promise;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(
      `Port ${port} is already in use: is your desk open in another terminal? End it there, or add --port ${port + 1}.`,
      { cause: error },
    );
  } finally {
    clearTimeout(idle);
    server.closeAllConnections();
    server.close();
    await sources.store.close();
  }
}

/** In milliseconds: a desk that was left open ends by itself. */
const IDLE_MS = 60 * 60_000;

/** On a server: the line to type on the owner's own computer. */
function tunnelLine({ DOMAIN }: Environment, port: number, { isInContainer }: Places): string {
  const [, , ip] = process.env.SSH_CONNECTION?.split(' ') ?? [];
  const host = ip ?? (isInContainer ? (DOMAIN ?? 'your-server') : undefined);
  if (host === undefined) return '';
  const user = ip === undefined ? 'you' : (process.env.USER ?? 'you');
  return `On your own computer, type this first, then open the address there: ssh -L ${port}:127.0.0.1:${port} ${user}@${host}\n`;
}

// Last, when all of the above is ready.
await runCommand(command);
