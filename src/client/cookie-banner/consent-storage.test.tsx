import { beforeEach, expect, test, vi } from 'vitest';
import { makeRecord } from './consent-rules.ts';
import { readStored, removeStored, writeStored } from './consent-storage.ts';
import { nothing, onlyStatistics } from './sample-preferences.ts';

const EARLIER = makeRecord('essential', nothing, 1, 'v1');
const CHOSEN = makeRecord('custom', onlyStatistics, 2, 'v1');
const refuse = () => {
  throw new DOMException('Refused', 'SecurityError');
};

beforeEach(() => {
  localStorage.clear();
  writeStored(EARLIER);
});

test.each<[string, Partial<Storage>]>([
  ['refuses everything', { getItem: refuse, setItem: refuse, removeItem: refuse }],
  ['throws on writing', { getItem: (key) => EARLIER[key as never], setItem: refuse, removeItem: refuse }],
  ['forgets what it was given', { getItem: () => null, setItem: () => {}, removeItem: () => {} }],
])('with storage that %s, a choice lasts for this page', (_, storage) => {
  vi.stubGlobal('localStorage', storage);
  writeStored(CHOSEN);
  expect(readStored()).toEqual(CHOSEN);
  removeStored();
  expect(readStored()).not.toEqual(CHOSEN);
});

test('a choice replaces the previous one', () => {
  writeStored(CHOSEN);
  expect(readStored()).toEqual(CHOSEN);
});
