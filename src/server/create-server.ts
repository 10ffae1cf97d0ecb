import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import { toClient, toNetwork48 } from './newsletter/client-address.ts';

/**
 * Makes a server whose clients, however many and whatever they send, hold a bounded number of files and of memory.
 * Requests that a client sends ahead on one connection are answered one after another: the file of the next is opened
 * when the answer before it is on its way.
 * @param answer answers one request
 * @param isBehindProxy whether the connections of all clients come from one address
 */
export function createServer(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
  isBehindProxy: boolean,
): Server {
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
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;
  server.timeout = IDLE_TIMEOUT_MS;
  if (isBehindProxy) server.maxConnections = MAX_CONNECTIONS;
  else shareConnections(server);
  return server;
}

/**
 * Where every connection is taken, closes the oldest of the IPv4 address or IPv6 /48 that has most, so that none of them
 * keeps others out.
 */
function shareConnections(server: Server): void {
  const open = new Map<string, Set<Socket>>();
  server.on('connection', (socket) => {
    const network = toNetwork48(toClient(socket.remoteAddress ?? '') ?? '');
    const own = open.get(network) ?? new Set();
    open.set(network, own.add(socket));
    socket.on('close', () => {
      own.delete(socket);
      if (own.size === 0) open.delete(network);
    });
    const sets = [...open.values()];
    if (sets.reduce((sum, { size }) => sum + size, 0) <= MAX_CONNECTIONS) return;
    const most = sets.reduce((one, other) => (other.size > one.size ? other : one), own);
    const oldest = [...most].find(({ destroyed }) => !destroyed);
    oldest?.destroy();
  });
}

/** More than any agency's visitors need at once: a proxy holds one for each request that is being answered. */
const MAX_CONNECTIONS = 1000;

/** A browser and a proxy open another connection afterwards. */
const MAX_REQUESTS_PER_SOCKET = 100;

/** A client that neither sends nor reads for so long is cut off. */
const IDLE_TIMEOUT_MS = 60_000;

/** A sign-up has at most 8 kB. */
const LIMITS = { headersTimeout: 15_000, requestTimeout: 30_000, connectionsCheckingInterval: 5000 };
