import { expect, test } from 'vitest';
import { findPlaces } from './find-places.ts';

const PROGRAM = 'file:///elsewhere/dist/server/desk.js';

test('without the project a new picture is saved only in a container, in the folder that Compose mounts', () => {
  expect(findPlaces(PROGRAM, { DESK_IN_CONTAINER: 'yes' }).pictures).toEqual(['/elsewhere/dist/site']);
  expect(findPlaces(PROGRAM, {}).pictures).toEqual([]);
});

test('in the project a new picture is saved for the next build and in this one', () => {
  const root = new URL('../../', import.meta.url);
  const { project, pictures, updates } = findPlaces(new URL('dist/server/desk.js', root).href, {});
  expect(pictures).toEqual([`${project}public`, `${project}dist/site`]);
  expect(updates).toBe(`${project}content/updates`);
});
