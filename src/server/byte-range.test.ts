import { expect, test } from 'vitest';
import { byteRange } from './byte-range.ts';

test.each([
  ['bytes=0-3', { start: 0, end: 4 }],
  ['bytes=4-', { start: 4, end: 10 }],
  ['bytes=-3', { start: 7, end: 10 }],
  ['bytes=8-99', { start: 8, end: 10 }],
  ['bytes=-99', { start: 0, end: 10 }],
])('%s of ten bytes is a part', (header, part) => {
  expect(byteRange(header, 10)).toEqual(part);
});

test.each(['bytes=10-', 'bytes=10-12', 'bytes=-0'])('%s of ten bytes is no part of them', (header) => {
  expect(byteRange(header, 10)).toBe('unsatisfiable');
});

test.each([undefined, 'bytes=-', 'bytes=3-1', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=a-b'])(
  '%s is answered with the whole',
  (header) => {
    expect(byteRange(header, 10)).toBeUndefined();
  },
);
