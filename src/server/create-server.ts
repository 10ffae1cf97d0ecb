import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream';

/**
 * Makes a server whose clients, however many and whatever they send, hold a bounded number of files and of memory.
 * Requests that a client sends ahead on one connection are answered one after another: the file of the next is opened
 * when the answer before it is on its way.
 * @param answer answers one request
 */
export function createServer(answer: (request: IncomingMessage, response: ServerResponse) => unknown): Server {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  const server = createHttpServer(LIMITS, (request, response) => {
    const { socket } = request;
    const begin = () => {
      finished(response, () => queue.shift() && queue[0]?.());
      if (!socket.destroyed) void answer(request, response);
    };
    const queue = waiting.get(socket) ?? [];
    waiting.set(socket, queue);
    if (queue.push(begin) === 1) begin();
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;
  server.timeout = IDLE_TIMEOUT_MS;
  return server;
}

/** More than any agency's visitors need at once: a proxy holds one for each request that is being answered. */
const MAX_CONNECTIONS = 1000;

/** A browser and a proxy open another connection afterwards. */
const MAX_REQUESTS_PER_SOCKET = 100;

/** A client that neither sends nor reads for so long is cut off. */
const IDLE_TIMEOUT_MS = 60_000;

/** A sign-up has at most 8 kB. */
const LIMITS = { headersTimeout: 15_000, requestTimeout: 30_000, connectionsCheckingInterval: 5000 };
