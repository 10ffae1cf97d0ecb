import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A free port on this machine, for a server that needs to know its port in advance. It is below the range that
 * the system assigns to connections and servers, much of which is in use while tests run.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await once(server.close(), 'close');
    return port;
  }
}
