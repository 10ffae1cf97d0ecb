import { expect, test } from 'vitest';
import { createClientIpReader } from './client-ip.ts';

test.each([
  ['198.51.100.1', '198.51.100.1'],
  ['203.0.113.5, 192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2::a', '2001:0db8:0001:0002'],
  ['2001:DB8:1:2:3::b%eth0', '2001:0db8:0001:0002'],
  ['64:ff9b::192.0.2.1', '0064:ff9b:0000:0000'],
  ['::1', '0000:0000:0000:0000'],
  ['::ffff:198.51.100.1', '198.51.100.1'],
  ['::ffff:c633:6401', '198.51.100.1'],
  ['0000:0000:0000:0000:0000:ffff:c633:6401', '198.51.100.1'],
  ['[::ffff:c633:6401]:4711', '198.51.100.1'],
  ['::ffff:0:1', '0.0.0.1'],
  ['198.51.100.1:4711', '198.51.100.1'],
  ['[2001:db8:0:1::1]:4711', '2001:0db8:0000:0001'],
])('reads %s in a proxy’s header as the client %s', (value, client) => {
  const request = { headers: { 'x-forwarded-for': value }, socket: { remoteAddress: '::ffff:192.0.2.99' } };
  expect(createClientIpReader('x-forwarded-for')(request as never)).toBe(client);
});
