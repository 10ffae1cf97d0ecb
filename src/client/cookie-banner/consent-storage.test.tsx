import { beforeEach, expect, test, vi } from 'vitest';
import { makeRecord } from './consent-rules.ts';
import { readStored, removeStored, writeStored } from './consent-storage.ts';
import { nothing, onlyStatistics } from './sample-preferences.ts';

const EARLIER = makeRecord('essential', nothing, 1, 'v1');
const CHOSEN = makeRecord('custom', onlyStatistics, 2, 'v1');
const block = () => {
  throw new DOMException('Blocked', 'SecurityError');
};

beforeEach(() => {
  localStorage.clear();
  writeStored(EARLIER);
});

test.each<[string, Partial<Storage>]>([
  ['blocks everything', { getItem: block, setItem: block, removeItem: block }],
  ['throws on writing', { getItem: (key) => EARLIER[key as never], setItem: block, removeItem: block }],
  ['forgets what it was given', { getItem: () => null, setItem: () => {}, removeItem: () => {} }],
])('keeps a choice for this page with storage that %s', (_, storage) => {
  vi.stubGlobal('localStorage', storage);
  writeStored(CHOSEN);
  expect(readStored()).toEqual(CHOSEN);
  removeStored();
  expect(readStored()).not.toEqual(CHOSEN);
});

test('replaces the previous choice', () => {
  writeStored(CHOSEN);
  expect(readStored()).toEqual(CHOSEN);
});
