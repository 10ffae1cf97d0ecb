import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export type MailCounter = {
  url: string;
  /** How often each delivery arrived, by the id in its Message-ID. */
  arrivals: Map<string, number>;
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
  return {
    url: `smtp://127.0.0.1:${port}`,
    arrivals,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const MAX_HEADER_CHARACTERS = 10_000;
