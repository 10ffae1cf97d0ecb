import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describeError } from '#shared/describe-error.ts';

/**
 * A request on its way to the desk's thread. Bodies are transferred as streams, so neither thread holds a whole one.
 * @property client as createClientIpReader returns it
 */
export type DeskRequest = {
  id: number;
  method: string;
  url: string;
  headers: [string, string][];
  body: ReadableStream | null;
  client: string;
};

export type DeskResponse = {
  id: number;
  status: number;
  headers: [string, string][];
  body: ReadableStream | null;
};

/** The thread's first message, once it can respond. */
export const DESK_READY = 'ready';

/** The thread's start options. @property url the URL on which this server listens */
export type DeskThreadData = { url: string; origin: string };

/** The desk's code in a separate thread: it never delays visitors, and if it crashes, the server keeps running. */
export type DeskThread = {
  /** Sets the thread's start options; the first request starts the thread. */
  configure: (data: DeskThreadData) => void;
  fetch: (request: Request, client: string) => Promise<Response>;
  /** Terminates the thread, whatever it is doing. */
  stop: () => Promise<void>;
};

/**
 * @param options.program the file; the thread starts with the first request, and again with the next if it ends
 * @param options.log writes one line
 * @param options.startingMs how long a GET request waits while the thread starts, before it gets a page that reloads; a
 *   form waits `FORM_PATIENCE` times as long
 */
export function createDeskThread(options: {
  program: URL;
  log: (line: string) => void;
  startingMs?: number;
}): DeskThread {
  let data: DeskThreadData | undefined;
  let running: Running | undefined;
  const start = () => {
    const thread = startThread(options, data, () => {
      if (running === thread) running = undefined;
    });
    return thread;
  };
  return {
    configure: (given) => {
      data = given;
    },
    fetch: (request, client) => (running ??= start()).fetch(request, client),
    stop: async () => {
      await running?.stop();
    },
  };
}

type Running = Pick<DeskThread, 'fetch' | 'stop'>;

function startThread(
  { program, log, startingMs = STARTING_MS }: Parameters<typeof createDeskThread>[0],
  data: DeskThreadData | undefined,
  onEnd: () => void,
): Running {
  const worker = new Worker(program, { workerData: data });
  const ended = new AbortController();
  const ready = Promise.withResolvers<void>();
  const waiting = new Map<number, (response: DeskResponse | undefined) => void>();
  let requests = 0;
  let isStopping = false;
  worker.on('message', (response: DeskResponse | typeof DESK_READY) => {
    if (response === DESK_READY) return ready.resolve();
    waiting.get(response.id)?.(response);
    waiting.delete(response.id);
  });
  worker.on('error', (error) =>
    log(`The desk's thread ended: ${describeError(error)}. The next request will restart it.`),
  );
  worker.on('exit', (code) => {
    onEnd();
    if (!isStopping && code === 0) log("The desk's thread ended. The next request will restart it.");
    ended.abort();
    ready.resolve();
    for (const answer of waiting.values()) answer(undefined);
  });
  return {
    fetch: async (request, client) => {
      // Sent only once the thread is ready; otherwise the thread might act on it later, without anybody knowing.
      const waitMs = request.method === 'GET' ? startingMs : FORM_PATIENCE * startingMs;
      const isReady = await Promise.race([ready.promise.then(() => true), setTimeout(waitMs, false, { ref: false })]);
      if (!isReady) return describeStart(request.method);
      if (ended.signal.aborted) return new Response(NOT_STARTED, { status: 503, headers: STOPPED_HEADERS });
      const { method, url, headers, body } = request;
      requests += 1;
      const id = requests;
      const { promise, resolve } = Promise.withResolvers<DeskResponse | undefined>();
      waiting.set(id, resolve);
      const message: DeskRequest = { id, method, url, headers: [...headers], body, client };
      worker.postMessage(message, body === null ? [] : [body]);
      const response = await promise;
      if (response === undefined) return new Response(STOPPED, { status: 503, headers: STOPPED_HEADERS });
      // A stream from a terminated thread would hang for ever.
      const readable = response.body?.pipeThrough(new TransformStream(), { signal: ended.signal }) ?? null;
      return new Response(readable, { status: response.status, headers: response.headers });
    },
    stop: async () => {
      isStopping = true;
      await worker.terminate();
    },
  };
}

/** The page reloads by itself, so a request needn't wait long for the thread. */
const STARTING_MS = 10_000;

/** How many times longer a form waits, because it can't reload. A proxy or this server gives up after a minute. */
const FORM_PATIENCE = 5;

/** A form gets no page that reloads, which would lose its fields. */
function describeStart(method: string): Response {
  return method === 'GET'
    ? new Response(STARTING, { status: 503, headers: STARTING_HEADERS })
    : new Response(NOT_STARTED, { status: 503, headers: STOPPED_HEADERS });
}

const NOT_STARTED = 'Your desk is starting, and nothing was done. Go back, and try again in a moment.\n';

const STARTING = `<!doctype html><html lang="en-GB"><meta charset="utf-8"><title>Your desk is starting</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<h1>Your desk is starting</h1><p>This takes a moment on a busy machine. The page reloads by itself.</p>`;

const STOPPED = 'Your desk stopped while it was doing this. Go back and try again: it restarts by itself.\n';
const STOPPED_HEADERS = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-store',
  'Retry-After': '1',
};
const STARTING_HEADERS = {
  ...STOPPED_HEADERS,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Robots-Tag': 'noindex',
  Refresh: '3',
};
