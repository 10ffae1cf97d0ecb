import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import type { Environment } from '#settings/environment.ts';
import { explainCodes } from '#shared/explain-codes.ts';

/**
 * Listens on every IP of HOST; `localhost` means both loopback addresses, whatever the hosts file says.
 * @param createServer makes a server for one IP
 * @returns the servers, and the URL to print
 * @throws an error that names the settings to change if the port or the host isn't available
 */
export async function listen<S extends Server>(
  createServer: () => S,
  { PORT, HOST }: Pick<Environment, 'PORT' | 'HOST'>,
): Promise<{ servers: S[]; url: string }> {
  const servers: S[] = [];
  try {
    for (const ip of await findIps(HOST)) {
      const server = createServer();
      server.listen(servers.length === 0 ? PORT : readPort(servers[0]!), ip);
      const isListening = await once(server, 'listening').then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (ip === '::1' && servers.length > 0 && NO_IPV6.has(error.code ?? '')) return false;
          throw error;
        },
      );
      if (isListening) servers.push(server);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`PORT ${PORT}, HOST ${HOST}: ${explainCodes(`${code}`)}. Set another port or host in .env`, {
      cause: error,
    });
  }
  return { servers, url: `http://${toUrlHost(HOST)}:${readPort(servers[0]!)}` };
}

async function findIps(host: string): Promise<string[]> {
  if (host.toLowerCase() === 'localhost') return ['127.0.0.1', '::1'];
  const found = await lookup(host, { all: true });
  return [...new Set(found.map(({ address }) => address))];
}

/** A machine without IPv6 has no ::1. */
const NO_IPV6 = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']);

function readPort(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** A browser can't open the wildcard for every interface. */
function toUrlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
