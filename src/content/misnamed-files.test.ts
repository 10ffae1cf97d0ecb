import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { copyContentForEachTest, readMistakes } from '../../test/content-copy.ts';

const copy = copyContentForEachTest();
const mistakes = () => readMistakes(copy.folder);

test.each([
  ['faq.yaml', 'FAQ.yaml', 'Did you mean faq.yaml?'],
  ['faq.yaml', 'faq.yml', 'Did you mean faq.yaml?'],
  ['faq.yaml', 'faq.yaml.txt', 'Did you mean faq.yaml?'],
  ['privacy-policy.md', 'Privacy-Policy.md', 'Did you mean privacy-policy.md?'],
  ['portrait.jpg', 'Portrait.JPG', 'Did you mean portrait.jpg?'],
  ['portrait.jpg', 'portrait.heic', 'Did you mean portrait.'],
  ['portrait.jpg', 'mark.ai', 'Known are agency.yaml, '],
  ['pages/house-rules.md', 'house-rules.md', 'Known are agency.yaml, '],
  ['pages/house-rules.md', 'page/house-rules.md', 'Known are agency.yaml, '],
  ['pages/house-rules.md', 'pages/house-rules.MD', 'Known are agency.yaml, '],
  ['pages/house-rules.md', 'pages/house-rules.txt', 'Known are agency.yaml, '],
  ['pages/house-rules.md', 'pages/house-rules.docx', 'Known are agency.yaml, '],
])('%s under the name %s, which nothing reads', (file, name, advice) => {
  mkdirSync(dirname(join(copy.folder, name)), { recursive: true });
  renameSync(join(copy.folder, file), join(copy.folder, name));
  const message = `/${name}: nothing reads a file of this name. ${advice}`;
  expect(mistakes()).toContainEqual(expect.stringContaining(message));
});

test('a second file of nearly the same name', () => {
  cpSync(join(copy.folder, 'faq.yaml'), join(copy.folder, 'faq.yml'));
  expect(mistakes()).toEqual([
    expect.stringContaining('faq.yml: nothing reads a file of this name. Did you mean faq.yaml?'),
  ]);
});

test('a file that a system leaves in a folder is accepted, and so is an empty folder', () => {
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
