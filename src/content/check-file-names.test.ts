import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { copyContentForEachTest } from '../../test/content-copy.ts';
import { findMisnamedFiles } from './check-file-names.ts';
import { readWholeContent } from './read-content-folder.ts';

const copy = copyContentForEachTest();

function add(file: string): void {
  mkdirSync(dirname(join(copy.folder, file)), { recursive: true });
  writeFileSync(join(copy.folder, file), 'x');
}

describe('reports a file that isn’t read, with the name that it should have', () => {
  test.each([
    ['portrait.JPG', 'Name it portrait.jpg'],
    ['Portrait.jpeg', 'Name it portrait.jpeg'],
    ['portrait.heic', 'Save the picture as portrait.jpg'],
    ['mark.SVG', 'Name it mark.svg'],
    ['mark.jpg', 'Save the mark as mark.svg or mark.png'],
    ['Logo.PNG', 'Save the mark as mark.svg or mark.png'],
    ['HOME.yaml', 'Name it home.yaml'],
    ['agency.yml', 'Name it agency.yaml'],
    ['FAQ.YAML', 'Name it faq.yaml'],
    ['home.yaml.txt', 'Name it home.yaml'],
    ['mark 2.png', 'Name it mark.png'],
    ['mark.svg.svg', 'Name it mark.svg'],
    ['privacy_policy.md', 'Name it privacy-policy.md'],
    ['Privacy-Policy.md', 'Name it privacy-policy.md'],
    ['pages/Terms.MD', 'Name it pages/terms.md'],
    ['pages/terms.markdown', 'Name it pages/terms.md'],
    ['Pages/terms.md', 'Name it pages'],
    ['pages/legal/terms.md', 'Put the file into pages/ itself'],
    ['pages/Kündigung.docx', 'Save its text as pages/kuendigung.md'],
    ['updates/January 2027.MD', 'Name it updates/january-2027.md'],
    ['updates/december.txt', 'Name it updates/december.md'],
    ['updates/2027/january.md', 'Put the file into updates/ itself'],
    ['Update/january.md', 'Name it updates'],
    ['portrait.jpg.webp', 'Name it portrait.webp'],
    ['portrait-final.png', 'Name it portrait.png'],
    ['notes.docx', 'Move it out of content/'],
  ])('%s', (file, advice) => {
    rmSync(join(copy.folder, advice.replace('Name it ', '')), { recursive: true, force: true });
    add(file);
    expect(findMisnamedFiles(copy.folder)).toEqual([expect.stringMatching(`${file}: .*not read. ${advice}$`)]);
  });
});

test.each([
  ['agency.yml', 'agency.yaml'],
  ['portrait.JPG', 'portrait.jpg'],
  ['brand_old.yaml', 'brand.yaml'],
  ['home.yaml (1)', 'home.yaml'],
])('doesn’t suggest renaming %s to %s if both exist', (file, other) => {
  add(file);
  const advice = `this file is not read, and ${other} exists too. Keep one of them, and name it ${other}`;
  expect(findMisnamedFiles(copy.folder)).toEqual([expect.stringContaining(advice)]);
});

test('reports a file that iCloud hasn’t downloaded', () => {
  add('.portrait.jpg.icloud');
  expect(findMisnamedFiles(copy.folder)).toEqual([expect.stringMatching(/portrait\.jpg\.icloud: iCloud keeps/)]);
});

test.each([
  ['home (1).yaml', 'home.yaml'],
  ['home (1) (1).yaml', 'home.yaml'],
  ['home (copie).yaml', 'home.yaml'],
  ['home [conflicted].yaml', 'home.yaml'],
  ['home copy.yaml', 'home.yaml'],
  ['home - Copy (2).yaml', 'home.yaml'],
  ["faq (Kim's conflicted copy 2026-11-28).yaml", 'faq.yaml'],
  ['faq.sync-conflict-20261128-101500-ABCDEFG.yaml', 'faq.yaml'],
  ['faq.yaml.orig', 'faq.yaml'],
  ['faq_LOCAL_4711.yaml', 'faq.yaml'],
  ['pages/house-rules 2.md', 'pages/house-rules.md'],
  ['portrait 2.jpg', 'portrait.jpg'],
  ['Kopie von faq.yaml', 'faq.yaml'],
  ['home - Kopie.yaml', 'home.yaml'],
  ['home-DESKTOP-4F2A.yaml', 'home.yaml'],
  ['pages/Copy of house-rules.md', 'pages/house-rules.md'],
  ['faq (In Konflikt stehende Kopie von Kim 2026-11-28).yaml', 'faq.yaml'],
])('reports %s as a second copy of %s', (file, original) => {
  add(file);
  expect(findMisnamedFiles(copy.folder)).toEqual([expect.stringContaining(`this is a second copy of ${original}`)]);
});

test('doesn’t report files that are read, leftovers of systems and editors, or files in other folders', () => {
  for (const file of [
    'mark.png',
    'pages/terms-2.md',
    'pages/house-rules-desktop.md',
    '.DS_Store',
    'home.yaml~',
    'Thumbs.db',
    'README.md',
    'old/home.yaml',
  ])
    add(file);
  expect(findMisnamedFiles(copy.folder)).toEqual([]);
});

test('makes a build report a misnamed file', async () => {
  cpSync(join(copy.folder, 'portrait.jpg'), join(copy.folder, 'portrait.JPG'));
  await expect(readWholeContent(copy.folder)).rejects.toThrow('portrait.JPG: this file is not read');
});
