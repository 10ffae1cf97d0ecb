import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Starts a server on a free port on this machine. `stop` also closes its open HTTP connections. */
export async function listenOnFreePort(server: Server & { closeAllConnections?: () => void }, host = '127.0.0.1') {
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${host}:${port}`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections?.();
      await closed;
    },
  };
}
