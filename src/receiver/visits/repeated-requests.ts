import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isReload, type Visitor } from './open-day.ts';

/** Recognises what one connection asks again and again, at the cost of a few comparisons and no hash. */
export type RepeatedRequests = {
  /** Whether the connection's last counted request was the same, less than a minute ago. */
  has: (request: IncomingMessage, now: number) => boolean;
  remember: (request: IncomingMessage, visitor: Visitor) => void;
};

/** @param proxyHeader in lower case, where a proxy names the client: one connection then carries many visitors */
export function repeatedRequests(proxyHeader: string | undefined): RepeatedRequests {
  // Each goes with its connection.
  const last = new WeakMap<Socket, Request>();
  return {
    has: ({ socket, url, headers }, now) => {
      const same = last.get(socket);
      if (
        same === undefined ||
        same.url !== url ||
        same.agent !== headers['user-agent'] ||
        same.referer !== headers.referer ||
        (proxyHeader !== undefined && same.proxied !== headers[proxyHeader]) ||
        !isReload(same.visitor, same.row, now)
      ) {
        return false;
      }
      same.visitor.at = now;
      return true;
    },
    remember: ({ socket, url, headers }, visitor) => {
      last.set(socket, {
        url,
        agent: headers['user-agent'],
        referer: headers.referer,
        proxied: proxyHeader === undefined ? undefined : headers[proxyHeader],
        visitor,
        row: visitor.row,
      });
    },
  };
}

type Request = {
  url: string | undefined;
  agent: string | undefined;
  referer: string | undefined;
  proxied: string | string[] | undefined;
  visitor: Visitor;
  row: Visitor['row'];
};
