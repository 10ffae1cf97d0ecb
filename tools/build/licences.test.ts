import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const { packages } = JSON.parse(read('package-lock.json'));

test('docs/licences.md lists each package that the server runs with, with its licence, and no other', () => {
  // The build itself writes the licences of fonts, which an owner may change.
  const names = Object.keys(packages[''].dependencies).filter((name) => !name.startsWith('@fontsource-variable/'));
  const rows = names.map((name) => `- ${name}, ${packages[`node_modules/${name}`].license}`);
  expect(read('docs/licences.md').match(/^- [^:\n]+/gm)).toEqual(rows);
});
