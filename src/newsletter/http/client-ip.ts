import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import { expandIPv6 } from 'hono/utils/ipaddr';

/**
 * Reads the client's IP address from the socket, or from the trusted proxy's header. An IPv6 client owns a whole /64.
 * @param trustedHeader the header that the proxy sets, in lower case; its addresses may include a port. Only the last
 *   of several counts, since the visitor may have forged the others
 * @param log called once if the header can't be read, in which case everybody behind the proxy counts as one client
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
        `TRUSTED_PROXY_HEADER: expected an IP address in ${trustedHeader}, but a sign-up arrived without one; such visitors share one rate limit.`,
      );
    }
    return visitor ?? remote;
  };
}

/**
 * Identifies a client by its IPv4 address, or by the /64 that an IPv6 client owns.
 * @param text an IP address in any notation, perhaps with brackets, a zone or a port
 * @returns undefined if it isn't an IP address
 */
export function toClient(text: string): string | undefined {
  const host = text.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  const [address = ''] = host.split('%', 1);
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  // The canonical form of RFC 5952, in which a mapped IPv4 address is written with dots.
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  const mapped = canonical.replace(/^::ffff:/, '');
  return isIPv4(mapped) ? mapped : expandIPv6(canonical).toLowerCase().split(':').slice(0, 4).join(':');
}

/**
 * @param client as toClient returns it: the four groups of a /64, for example `2001:0db8:0001:0002`, or an IPv4
 *   address, which is returned as it is
 */
export function toNetwork48(client: string): string {
  return client.split(':', 3).join(':');
}
