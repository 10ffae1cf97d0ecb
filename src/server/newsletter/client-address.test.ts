import { expect, test } from 'vitest';
import { createAddressReader } from './client-address.ts';

test.each([
  ['x-forwarded-for', '198.51.100.1', '198.51.100.1'],
  ['x-forwarded-for', '203.0.113.5, 192.0.2.7', '192.0.2.7'],
  ['x-forwarded-for', '2001:db8:1:2::a', '2001:db8:1:2'],
  ['x-forwarded-for', '2001:db8:1:2:3::b', '2001:db8:1:2'],
  ['x-client', '198.51.100.1:4711', '198.51.100.1'],
  ['x-client', '[2001:db8:0:1::1]:4711', '2001:db8:0:1'],
  ['forwarded', 'for=192.0.2.1;proto=https, for=198.51.100.1;proto=https', '198.51.100.1'],
  ['forwarded', 'for="[2001:db8:0:1::1]:4711"', '2001:db8:0:1'],
])('a proxy that says in %s %s names the client %s', (header, value, client) => {
  const request = { headers: { [header]: value }, socket: { remoteAddress: '::ffff:192.0.2.99' } };
  expect(createAddressReader(header)(request as never)).toBe(client);
});
