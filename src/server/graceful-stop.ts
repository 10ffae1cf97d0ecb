import { once } from 'node:events';
import type { Server } from 'node:http';

/**
 * Stops on SIGTERM, SIGINT or SIGHUP: lets `finish` end its work while requests are still answered, then accepts no
 * more connections, gives open requests `requestsMs`, and exits with 0, or with 1 after the deadline. Several members
 * of a process group may pass a signal on, so a repeated signal changes nothing; but a second Ctrl-C after a moment
 * comes from a person, and ends the process immediately.
 * @param options.finish finishes work other than requests, such as emails in flight; called first
 * @param options.close called last
 * @param options.requestsMs milliseconds before connections are cut
 * @param options.deadlineMs milliseconds for everything
 * @param options.log writes one line
 */
export function stopOnSignals(
  servers: Server[],
  options: {
    finish: () => Promise<void>;
    close: () => Promise<void>;
    requestsMs: number;
    deadlineMs: number;
    log: (line: string) => void;
  },
): void {
  const { finish, close, requestsMs, deadlineMs, log } = options;
  let stoppingSince: number | undefined;

  const stop = async () => {
    setTimeout(() => {
      log(`Stop: not done within ${deadlineMs / 1000} s; the remaining work is aborted.`);
      process.exit(1);
    }, deadlineMs);
    try {
      await finish();
      await Promise.all(servers.map((server) => closeServer(server, requestsMs)));
      await close();
      process.exit(0);
    } catch (error) {
      log(`Stop: ${(error as Error).name} while finishing the work.`);
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stoppingSince === undefined) {
        stoppingSince = performance.now();
        void stop();
      } else if (signal === 'SIGINT' && performance.now() - stoppingSince > SECOND_CTRL_C_MS) {
        process.exit(1);
      }
    });
  }
}

/** Copies of one Ctrl-C arrive together; a person's second one does not. */
const SECOND_CTRL_C_MS = 1000;

async function closeServer(server: Server, requestsMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // From now on, each response closes its connection.
  server.prependListener('request', (_, response) => void response.setHeader('Connection', 'close'));
  // Browsers keep idle connections open, so these are closed.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), requestsMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
