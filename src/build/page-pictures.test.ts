import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { readMarkdownPage } from '#content/markdown/read-markdown-page.ts';
import { makeFolder } from '../../test/make-folder.ts';
import { collectFiles } from './made-files.ts';
import { shrinkPagePictures } from './page-pictures.ts';

test('shows a small copy of a press photograph on a page, and links to the original', async () => {
  const folder = makeFolder();
  const draw = (width: number) => sharp({ create: { width, height: 300, channels: 3, background: 'green' } }).jpeg();
  await draw(4000).toFile(join(folder, 'Büro 1.jpg'));
  await draw(800).toFile(join(folder, 'small.jpg'));
  const text = '## Press\n\n[![Office](/B%C3%BCro%201.jpg)](/B%C3%BCro%201.jpg) ![Desk](/small.jpg)\n';
  const frontMatter = '---\nheading: Press\ntitle: Press\ndescription: Press.\nlastUpdated: March 2026\n---\n';
  const { page } = readMarkdownPage('pages/press.md', frontMatter + text, (each) => each);
  const made = collectFiles();
  const { html } = (await shrinkPagePictures(page!, folder, made)).sections[0]!;
  const [[path, copy]] = [...made.files] as [[string, Uint8Array]];
  expect(html).toContain(`<a href="/B%C3%BCro%201.jpg"><img src="/${path}" alt="Office"`);
  expect(html).toContain('<img src="/small.jpg"');
  expect((await sharp(copy).metadata()).width).toBe(1200);
  expect(made.files.size).toBe(1);
});
