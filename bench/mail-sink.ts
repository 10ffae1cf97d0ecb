/** A mail server for the bench, in a thread of its own: takes every mail, keeps none, and counts them. */
import type { AddressInfo } from 'node:net';
import { workerData } from 'node:worker_threads';
import { SMTPServer } from 'smtp-server';

/** How many mails were taken, and the port. */
const shared = workerData as Int32Array;
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData: (stream, _, done) => {
    stream.resume().on('end', () => {
      Atomics.add(shared, 0, 1);
      done();
    });
  },
});
server.listen(0, '127.0.0.1', () => {
  Atomics.store(shared, 1, (server.server.address() as AddressInfo).port);
  Atomics.notify(shared, 1);
});
