import { expect, test } from 'vitest';
import { watchClientIps } from './watch-client-ips.ts';

/** @param addresses of the requests, in order */
function watch(addresses: string[], { headers = {}, minutesApart = 0 } = {}): string[] {
  const lines: string[] = [];
  const count = watchClientIps(
    (request) => request.socket.remoteAddress!,
    (line) => lines.push(line),
  );
  addresses.forEach((remoteAddress, index) =>
    count({ headers, socket: { remoteAddress } } as never, index * minutesApart * 60_000),
  );
  return lines;
}

const repeat = (count: number, address = '172.18.0.2') => Array<string>(count).fill(address);
const others = (count: number) => Array.from({ length: count }, (_, index) => `192.0.2.${index}`);

test('warns once if fifty visitors within an hour share an IP address, and says what to set', () => {
  expect(watch(repeat(49))).toEqual([]);
  expect(watch(repeat(120))).toEqual([
    expect.stringMatching(/^Visitors: 50 of the last 50 .* set TRUSTED_PROXY_HEADER/),
  ]);
  expect(watch(repeat(120)).join()).not.toContain('172.18');
});

test("names Cloudflare's header if the site is behind Cloudflare", () => {
  const [line] = watch(repeat(50), { headers: { 'cf-connecting-ip': '192.0.2.1' } });
  expect(line).toContain('set TRUSTED_PROXY_HEADER to CF-Connecting-IP');
});

test('warns if most visitors share an IP address, whatever their order', () => {
  const mixed = repeat(70).flatMap((address, index) => (index % 2 === 0 ? [address, `192.0.2.${index}`] : [address]));
  expect(watch(mixed)).toHaveLength(1);
  expect(watch([...others(40), ...repeat(60)])).toHaveLength(1);
});

test.each([
  ['an address that half of the visitors share', repeat(60).flatMap((address, index) => [`192.0.2.${index}`, address])],
  ['visitors from different addresses', others(200)],
])('doesn’t warn about %s', (_, addresses) => {
  expect(watch(addresses)).toEqual([]);
});

test('starts counting again each hour, and logs again', () => {
  expect(watch(repeat(200), { minutesApart: 2 })).toEqual([]);
  expect(watch(repeat(240), { minutesApart: 0.5 })).toHaveLength(2);
});
