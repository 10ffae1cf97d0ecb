import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

export type MailCounter = {
  url: string;
  /** How often each delivery arrived, by the id in its Message-ID. */
  arrivals: Map<string, number>;
  /** Waits until everything that its clients have sent is counted, once they have ended. */
  isRead: () => Promise<void>;
  close: () => Promise<void>;
};

/** An SMTP server that accepts every mail and keeps nothing but its Message-ID. */
export async function startMailCounter(): Promise<MailCounter> {
  const arrivals = new Map<string, number>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 100,
    onData: (stream, _, done) => {
      let head = '';
      stream.on('data', (chunk: Buffer) => {
        if (head.length < MAX_HEADER_CHARACTERS) head += chunk.toString('latin1');
      });
      stream.on('end', () => {
        const id = /^Message-ID: <([^@]+)@/im.exec(head)?.[1] ?? 'no Message-ID';
        arrivals.set(id, (arrivals.get(id) ?? 0) + 1);
        done();
      });
    },
  });
  // Connections of a killed server break off.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const connections = () =>
    new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count)));
  return {
    url: `smtp://127.0.0.1:${port}`,
    arrivals,
    isRead: async () => {
      while ((await connections()) > 0) await pause(5);
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const MAX_HEADER_CHARACTERS = 10_000;
