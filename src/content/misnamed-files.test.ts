import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { copyContentForEachTest, readMistakes } from '../../test/content-copy.ts';

const copy = copyContentForEachTest();
const mistakes = () => readMistakes(copy.folder);

test.each([
  ['faq.yaml', 'FAQ.yaml', 'a file of this name is not read. Name it faq.yaml, '],
  ['faq.yaml', 'faq.yml', 'a file of this name is not read. Name it faq.yaml, '],
  ['faq.yaml', 'faq.yaml.txt', 'a file of this name is not read. Name it faq.yaml, '],
  ['privacy-policy.md', 'Privacy-Policy.md', 'a file of this name is not read. Name it privacy-policy.md, '],
  ['portrait.jpg', 'Portrait.JPG', 'a picture of this name is not looked for. '],
  ['portrait.jpg', 'portrait.heic', 'a picture of this name is not looked for. Save your photograph as portrait.jpg, '],
  ['portrait.jpg', 'mark.ai', 'a picture of this name is not looked for. '],
  ['pages/house-rules.md', 'house-rules.md', 'pages belong in content/pages/, updates in content/updates/. '],
  ['pages/house-rules.md', 'page/house-rules.md', 'a file is not looked for here. Move it to content/pages/ itself'],
  ['pages/house-rules.md', 'pages/house-rules.MD', 'a file of this kind is not read. Save its text in a file '],
  ['pages/house-rules.md', 'pages/house-rules.txt', 'a file of this kind is not read. Save its text in a file '],
  ['pages/house-rules.md', 'pages/house-rules.docx', 'a file of this kind is not read. Save its text in a file '],
])('%s under the name %s, which nothing reads', (file, name, message) => {
  mkdirSync(dirname(join(copy.folder, name)), { recursive: true });
  renameSync(join(copy.folder, file), join(copy.folder, name));
  expect(mistakes()).toEqual([expect.stringContaining(`/${name}: ${message}`)]);
});

test('a second file of nearly the same name', () => {
  cpSync(join(copy.folder, 'faq.yaml'), join(copy.folder, 'faq.yml'));
  expect(mistakes()).toEqual([expect.stringContaining('faq.yml: faq.yaml is there too, and is the one that is read')]);
});

test('a file that a system leaves in a folder is no mistake, and neither is an empty folder', () => {
  const names = [
    '.DS_Store',
    'Thumbs.db',
    'README.md',
    'notes.txt',
    'contract.pdf',
    'pages/._terms.md',
    '~$agency.yaml',
  ];
  for (const name of names) writeFileSync(join(copy.folder, name), '');
  mkdirSync(join(copy.folder, 'updates'));
  expect(mistakes()).toEqual([]);
});
