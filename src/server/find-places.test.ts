import { expect, test } from 'vitest';
import { findPlaces } from './find-places.ts';

test('reads updates from the project’s files when running in the project', () => {
  const root = new URL('../../', import.meta.url);
  const { project, updates } = findPlaces(new URL('dist/server/desk.js', root).href, {});
  expect(updates).toBe(`${project}content/updates`);
});
