import { isIPv4, isIPv6 } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/**
 * Whom a request comes from: the socket's address, or what the one trusted proxy says of it.
 * @param trustedHeader the header that the proxy sets; of a list only the last entry counts, since that one the proxy
 *   itself has seen, and everything before it the visitor may have written
 * @returns an address that is one for each client: IPv6 clients own a whole /64
 */
export function clientAddress(context: Context, trustedHeader: string | undefined): string {
  const fromProxy = trustedHeader && context.req.header(trustedHeader)?.split(',').at(-1)?.trim();
  const address = (fromProxy || getConnInfo(context).remote.address || '').replace(/^::ffff:(?=\d+\.)/i, '');
  return isIPv6(address) ? network64(address) : isIPv4(address) ? address : 'unknown';
}

function network64(address: string): string {
  // A URL writes an IPv6 address in its one canonical form.
  const canonical = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...(tail === undefined ? [] : zeros), ...after].slice(0, 4).join(':');
}
