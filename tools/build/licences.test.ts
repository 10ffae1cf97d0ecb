import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const { packages } = JSON.parse(read('package-lock.json'));

test('lists exactly the packages that the server needs, with their licences, in docs/licences.md', () => {
  // The build writes the fonts' licences, since an owner may change the fonts.
  const names = Object.keys(packages[''].dependencies).filter((name) => !name.startsWith('@fontsource-variable/'));
  const rows = names.map((name) => `- ${name}, ${packages[`node_modules/${name}`].license}`);
  expect(read('docs/licences.md').match(/^- [^:\n]+/gm)).toEqual(rows);
});
