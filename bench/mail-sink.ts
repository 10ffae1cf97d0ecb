import type { AddressInfo } from 'node:net';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { SMTPServer } from 'smtp-server';

export type MailSink = AsyncDisposable & { url: string; taken: () => number };

/** A mail server in a thread of its own, so that it takes no time of who sends: takes every mail, and keeps none. */
export async function startMailSink(): Promise<MailSink> {
  // How many mails were taken, and the port.
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(new URL(import.meta.url), { workerData: shared });
  await Atomics.waitAsync(shared, 1, 0).value;
  const stop = async () => void (await worker.terminate());
  return { url: `smtp://127.0.0.1:${shared[1]}`, taken: () => Atomics.load(shared, 0), [Symbol.asyncDispose]: stop };
}

if (!isMainThread) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, _, done) => {
      stream.resume().on('end', () => {
        Atomics.add(workerData, 0, 1);
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1', () => {
    Atomics.store(workerData, 1, (server.server.address() as AddressInfo).port);
    Atomics.notify(workerData, 1);
  });
}
