import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/**
 * Makes a server that spends a bounded number of connections, and of time on each.
 * @param answer answers one request
 */
export function createServer(answer: (request: IncomingMessage, response: ServerResponse) => unknown): Server {
  const server = createHttpServer(LIMITS, (request, response) => {
    // A proxy and the site could each take another of them (RFC 9112, section 3.2).
    if ((request.headersDistinct.host ?? []).length > 1) response.writeHead(400, { Connection: 'close' }).end();
    else void answer(request, response);
  });
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;
  server.timeout = IDLE_TIMEOUT_MS;
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

/** More than any agency's visitors need at once: a proxy holds one for each request that is being answered. */
const MAX_CONNECTIONS = 1000;

/** A browser and a proxy open another connection afterwards. */
const MAX_REQUESTS_PER_SOCKET = 100;

/** The connection of a client that neither sends nor reads for so long is closed. */
const IDLE_TIMEOUT_MS = 60_000;

/** A sign-up has at most 8 kB. */
const LIMITS = { headersTimeout: 15_000, requestTimeout: 30_000, connectionsCheckingInterval: 5000 };
