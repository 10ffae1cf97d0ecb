import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import { expandIPv6 } from 'hono/utils/ipaddr';

/**
 * Reads the client's IP address from the socket, or from the header of the trusted proxy. IPv6 clients own a whole /64.
 * @param trustedHeader the header that the proxy sets, in lower case; its addresses may have a port. Of a list only the
 *   last counts: the proxy saw that one, and the visitor may have written the others
 * @param log called once if the header can't be read: then everybody behind the proxy is one client
 */
export function createClientIpReader(
  trustedHeader: string | undefined,
  log: (line: string) => void = () => undefined,
): (request: IncomingMessage) => string {
  let hasWarned = false;
  return ({ headers, socket }) => {
    const remote = toClient(socket.remoteAddress ?? '') ?? 'unknown';
    if (trustedHeader === undefined) return remote;
    const visitor = toClient(headers[trustedHeader]?.toString().split(',').at(-1)?.trim() ?? '');
    if (visitor === undefined && !hasWarned) {
      hasWarned = true;
      log(
        `TRUSTED_PROXY_HEADER: expected an IP address in ${trustedHeader}, and a sign-up came without one; these visitors share one rate limit.`,
      );
    }
    return visitor ?? remote;
  };
}

/**
 * Names a client: by its IPv4 address, or by the /64 that an IPv6 client owns.
 * @param text an IP address in any spelling, maybe with brackets, a zone or a port
 * @returns undefined if the text is none
 */
export function toClient(text: string): string | undefined {
  const host = text.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  const [address = ''] = host.split('%', 1);
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  // The one spelling of RFC 5952, in which a mapped IPv4 address is written with dots.
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  const mapped = canonical.replace(/^::ffff:/, '');
  return isIPv4(mapped) ? mapped : expandIPv6(canonical).toLowerCase().split(':').slice(0, 4).join(':');
}

/**
 * @param client as toClient writes it: the four groups of a /64, for example `2001:0db8:0001:0002`, or an IPv4 address,
 * which stays
 */
export function toNetwork48(client: string): string {
  return client.split(':', 3).join(':');
}
