/** A mail server for the bench: takes every mail, keeps none, and tells on request how many there were. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { SMTPServer } from 'smtp-server';

let taken = 0;
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData: (stream, _, done) => {
    stream.on('data', () => undefined);
    stream.on('end', () => {
      taken += 1;
      done();
    });
  },
});
server.listen(0, '127.0.0.1');
await once(server.server, 'listening');
console.log((server.server.address() as AddressInfo).port);
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'count') console.log(taken);
}
