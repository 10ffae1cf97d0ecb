import { expect, test } from 'vitest';
import { findPlaces } from './find-places.ts';

test('in the project updates are those of its files', () => {
  const root = new URL('../../', import.meta.url);
  const { project, updates } = findPlaces(new URL('dist/server/desk.js', root).href, {});
  expect(updates).toBe(`${project}content/updates`);
});
