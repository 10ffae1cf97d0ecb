import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Value } from '#content/edit-yaml.ts';
import { readContent } from '#content/parse-content.ts';
import { makeFolder } from '../../test/make-folder.ts';
import { TEST_CONTENT } from '../../test/test-content.ts';
import { writeOverlaidContent } from './write-overlaid-content.ts';

/** Writes the tests' content with these values in the overlay. */
async function writeWith(values: Record<string, Value>, pictures: Record<string, Uint8Array> = {}) {
  const folder = makeFolder();
  mkdirSync(join(folder, 'pictures'));
  mkdirSync(join(folder, 'public'));
  writeFileSync(join(folder, 'public/taken.html'), '');
  for (const [name, bytes] of Object.entries(pictures)) writeFileSync(join(folder, 'pictures', name), bytes);
  const from = {
    base: TEST_CONTENT,
    overlay: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value, over: null }])),
    pictures: join(folder, 'pictures'),
    public: join(folder, 'public'),
    pages: ['index.html', 'privacy-policy.html', 'house-rules.html', '404.html'],
  };
  const misfits = await writeOverlaidContent(from, join(folder, 'content'));
  return { folder: join(folder, 'content'), misfits: misfits.map(({ key }) => key) };
}

const png = (size: number) =>
  sharp({ create: { width: size, height: size, channels: 3, background: '#123456' } })
    .png()
    .toBuffer();

test('writes the owner’s content and pictures next to the other files', async () => {
  const portrait = await png(900);
  const { folder, misfits } = await writeWith(
    { 'home.hero.headline': 'New words', 'picture.portrait': 'abc.png' },
    { 'abc.png': portrait },
  );
  expect(misfits).toEqual([]);
  expect(readContent(folder).home.hero.headline).toBe('New words');
  expect(readFileSync(join(folder, 'portrait.png'))).toEqual(portrait);
});

test('leaves out pictures that can’t be shown, text with broken links, and pages at a URL that is taken', async () => {
  const page = {
    heading: 'Terms',
    title: 'Terms',
    description: 'The terms',
    lastUpdated: 'May 2026',
    text: '## Fees\n\nA share.',
  };
  const add = (name: string) =>
    Object.entries({ ...page }).map(([field, value]) => [`pages/${name}.${field}`, value] as const);
  const { folder, misfits } = await writeWith(
    {
      'picture.mark': 'small.png',
      'picture.portrait': 'broken.jpg',
      'privacy-policy.text': '## Cookies\n\n[Gone](/gone)',
      'page:pages/terms': true,
      ...Object.fromEntries(add('terms')),
      'page:pages/taken': true,
      ...Object.fromEntries(add('taken')),
      'faq.heading': 'Kept',
    },
    { 'small.png': await png(40), 'broken.jpg': Buffer.from('no picture') },
  );
  expect(misfits.filter((key) => !key.includes('pages/taken')).toSorted()).toEqual([
    'picture.mark',
    'picture.portrait',
    'privacy-policy.text',
  ]);
  const content = readContent(folder);
  expect(content.faq.heading).toBe('Kept');
  expect(content.markdownPages.map(({ path }) => path)).toEqual(['/house-rules', '/terms']);
});
