/** The program of the desk's worker thread, which the site's server starts (src/server/desk-thread.ts). */
import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { openSources } from '#newsletter/open-list.ts';
import { DESK_READY, type DeskRequest, type DeskResponse, type DeskThreadData } from '#server/desk-thread.ts';
import { findBuildSite, obtainNewest } from '#publishing/live-version.ts';
import { findPlaces, toSitePlaces } from '#server/find-places.ts';
import { log } from '#server/log.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { createDeskApp } from './desk-app.tsx';

/** How far this thread's priority is lowered, so that visitors' requests go first. */
const NICER = 5;
const LOWEST = constants.priority.PRIORITY_LOW;

lowerPriority();
const { url, origin } = workerData as DeskThreadData;
// With PORT=0, the system chose the server's port.
const env = { ...parseEnvironment(process.env), PORT: Number(new URL(url).port) };
const places = findPlaces(import.meta.url);
const sources = await openSources(env);
const sites = toSitePlaces({ places, env });
// If the published version can't be obtained, the desk starts with the built site; the Website page gives the reason.
const shown = await obtainNewest(sites, sources.store, undefined).catch(() => findBuildSite(sites));
const app = createDeskApp({ ...sources, places, shown }, { origin, log });

parentPort!.on('message', (request: DeskRequest) => void answer(request));
parentPort!.postMessage(DESK_READY);

async function answer({ id, method, url: address, headers, body, client }: DeskRequest): Promise<void> {
  const fetchPage = async () => app.fetch(new Request(address, { method, headers, body, duplex: 'half' }), { client });
  const response = await fetchPage().catch(() => new Response(NO_REQUEST, { status: 400 }));
  const message: DeskResponse = { id, status: response.status, headers: [...response.headers], body: response.body };
  parentPort!.postMessage(message, response.body === null ? [] : [response.body]);
}

/** `Request` rejects some methods, such as TRACE: an error in an untrusted request must not end the thread. */
const NO_REQUEST = 'Your desk can’t handle this kind of request.\n';

/**
 * On Linux, each thread has its own priority, which the processes that it starts inherit. It is set relative to the
 * server's, because a server that was started with a low priority isn't allowed to raise it.
 */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  const thread = Number(basename(readlinkSync('/proc/thread-self')));
  setPriority(thread, Math.min(getPriority(thread) + NICER, LOWEST));
}
