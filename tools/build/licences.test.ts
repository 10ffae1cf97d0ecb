import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const { packages } = JSON.parse(read('package-lock.json'));

test('docs/licences.md lists each package that the server runs with, with its licence, and no other', () => {
  // An owner may install other fonts; the build writes their licences.
  const names = Object.keys(packages[''].dependencies).filter((name) => !name.startsWith('@fontsource-variable/'));
  const rows = names.map((name) => `- ${name}, ${packages[`node_modules/${name}`].license}`);
  expect(read('docs/licences.md').match(/^- [^:\n]+/gm)).toEqual(rows);
});
