import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const { packages } = JSON.parse(read('package-lock.json'));
const [, runs = '', builds = ''] = read('docs/licences.md').split(/^## /m);

test.each([
  ['the server runs with', 'dependencies', runs],
  ['builds and tests it', 'devDependencies', builds],
])('docs/licences.md lists each package that %s, with its licence, and no other', (_, kind, section) => {
  // An owner may install other fonts; the build writes their licences. Types are in no build.
  const names = Object.keys(packages[''][kind]).filter((name) => !/^@(fontsource-variable|types)\//.test(name));
  const rows = names.map((name) => `- ${name}, ${packages[`node_modules/${name}`].license}`);
  expect(section.match(/^- [^:\n]+/gm)).toEqual(rows);
});
