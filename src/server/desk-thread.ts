import { Worker } from 'node:worker_threads';
import { describeError } from '#shared/describe-error.ts';

/**
 * A request on its way to the desk's thread. Bodies are transferred as streams, so neither thread holds a whole one.
 * @property client as createClientIpReader names it
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

/** The thread's start options. @property url the URL on which this server listens */
export type DeskThreadData = { url: string; origin: string };

/** The desk's code in a separate thread: it never delays visitors, and if it crashes, the server keeps running. */
export type DeskThread = {
  /** Says where the server listens; the thread itself starts with the first request. */
  start: (data: DeskThreadData) => void;
  fetch: (request: Request, client: string) => Promise<Response>;
  /** Terminates the thread, whatever it is doing. */
  stop: () => Promise<void>;
};

/**
 * @param options.program the thread's file; it starts with the first request, and again with the next after it ended
 * @param options.log takes one line
 */
export function createDeskThread(options: { program: URL; log: (line: string) => void }): DeskThread {
  let data: DeskThreadData | undefined;
  let running: Running | undefined;
  const start = () => {
    const thread = startThread(options, data, () => {
      if (running === thread) running = undefined;
    });
    return thread;
  };
  return {
    start: (given) => {
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
  { program, log }: Parameters<typeof createDeskThread>[0],
  data: DeskThreadData | undefined,
  onEnd: () => void,
): Running {
  const worker = new Worker(program, { workerData: data });
  const ended = new AbortController();
  const waiting = new Map<number, (response: DeskResponse | undefined) => void>();
  let requests = 0;
  let isStopping = false;
  worker.on('message', (response: DeskResponse) => {
    waiting.get(response.id)?.(response);
    waiting.delete(response.id);
  });
  worker.on('error', (error) => log(`The desk's thread ended: ${describeError(error)}. The next request starts it.`));
  worker.on('exit', (code) => {
    onEnd();
    if (!isStopping && code === 0) log("The desk's thread ended. The next request starts it.");
    ended.abort();
    for (const answer of waiting.values()) answer(undefined);
  });
  return {
    fetch: async (request, client) => {
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

const STOPPED = 'Your desk stopped while it was doing this. Go back and try again: it restarts by itself.\n';
const STOPPED_HEADERS = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-store',
  'Retry-After': '1',
};
