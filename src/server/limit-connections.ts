import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import { toClient, toNetwork48 } from '#newsletter/http/client-ip.ts';

/**
 * Makes a server that uses a bounded number of files and a bounded amount of memory, however many clients there are and
 * whatever they send.
 * Requests that a client pipelines on one connection are handled one after another: the next one's file is opened once
 * the previous response is on its way, and other clients are served in between.
 * @param answer responds to one request
 * @param isBehindProxy whether the connections of all clients come from one IP
 */
export function createLimitedServer(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
  isBehindProxy: boolean,
): Server {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  const server = createHttpServer(LIMITS, (request, response) => {
    const { socket } = request;
    // A proxy and the site could each use a different Host header (RFC 9112, section 3.2).
    if ((request.headersDistinct.host ?? []).length > 1) {
      response.writeHead(400, { Connection: 'close' }).end();
      return;
    }
    if (!UPLOADS.test(request.url ?? '')) limitTime(request);
    const begin = () => {
      finished(response, () => setImmediate(() => queue.shift() && queue[0]?.()));
      if (!socket.destroyed) void answer(request, response);
    };
    const queue = waiting.get(socket) ?? [];
    waiting.set(socket, queue);
    if (queue.push(begin) === 1) begin();
  });
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;
  server.timeout = STALLED_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  if (isBehindProxy) server.maxConnections = MAX_CONNECTIONS;
  else shareConnections(server);
  return server;
}

/**
 * If every connection is taken, closes the oldest one of the IPv4 address or IPv6 /48 that has the most, or the oldest
 * of all if they all have equally many. The oldest is the likeliest to be idle, and no network can keep others out.
 */
function shareConnections(server: Server): void {
  const networks = new Map<Socket, string>();
  server.on('connection', (socket) => {
    networks.set(socket, toNetwork48(toClient(socket.remoteAddress ?? '') ?? ''));
    socket.on('close', () => networks.delete(socket));
    if (networks.size <= MAX_CONNECTIONS) return;
    const groups = [...Map.groupBy(networks.keys(), (each) => networks.get(each)).values()];
    const [oldest] = groups.reduce((most, other) => (other.length > most.length ? other : most));
    networks.delete(oldest!);
    oldest!.destroy();
  });
}

/** More than any agency's visitors need at once: a proxy holds one for each request in progress. */
const MAX_CONNECTIONS = 1000;

/** Afterwards, a browser or a proxy opens another connection. */
const MAX_REQUESTS_PER_SOCKET = 100;

/** A connection is closed if its client neither sends nor reads for this long during a request. */
const STALLED_TIMEOUT_MS = 60_000;

/**
 * An idle connection stays open longer than any proxy keeps it (nginx 60 s, Caddy 120 s, Google's load balancer 600 s,
 * Cloudflare 900 s): otherwise a proxy could send a sign-up on a connection that is just being closed.
 */
const KEEP_ALIVE_MS = 920_000;

/** The desk accepts files of 20 MB, which a slow connection sends in ten minutes. */
const LIMITS = { headersTimeout: 15_000, requestTimeout: 600_000, connectionsCheckingInterval: 5000 };

const UPLOADS = /^\/desk\//;

/** Limits the time in which a small request must arrive: a sign-up, for example, has at most 8 kB. */
function limitTime(request: IncomingMessage): void {
  const { socket } = request;
  const timer = setTimeout(() => {
    if (!request.complete) socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  }, SMALL_REQUEST_MS).unref();
  request.once('close', () => clearTimeout(timer));
}

const SMALL_REQUEST_MS = 30_000;
