import { expect, test, vi } from 'vitest';
import { createAddressReader } from './client-address.ts';

function read(header: string, value: string, log?: (line: string) => void): string {
  const request = { headers: { [header]: value }, socket: { remoteAddress: '::ffff:192.0.2.99' } };
  return createAddressReader(header, log)(request as never);
}

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
  expect(read(header, value)).toBe(client);
});

test('a proxy that hides the visitor makes one client of them all, and is logged', () => {
  const log = vi.fn<(line: string) => void>();
  expect(read('forwarded', 'for=_hidden', log)).toBe('192.0.2.99');
  expect(log).toHaveBeenCalledOnce();
});
