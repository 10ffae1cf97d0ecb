import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { copyContentForEachTest } from '../../../test/content-copy.ts';
import { openDesk, value } from '../../../test/open-website.ts';

// Each test reads and checks all of content/ many times.
vi.setConfig({ testTimeout: 30_000 });

const copy = copyContentForEachTest();

const conflict = (text: string) => `<<<<<<< HEAD\n${text}=======\nheading: Other\n>>>>>>> main\n`;

test.each([
  ['faq.yaml', conflict, 'questions', 'Two versions of this file conflict here'],
  ['faq.yaml', (text: string) => text.replace('items:', 'items:\n - a\n   b: c'), 'questions', 'faq.yaml'],
  ['faq.yaml', () => '', 'questions', ''],
  ['brand.yaml', conflict, 'colours', 'Two versions of this file conflict here'],
  ['agency.yaml', conflict, 'addresses', 'Two versions of this file conflict here'],
  [
    'pages/house-rules.md',
    (text: string) => text.replace('---\n', `---\n${conflict('title: A\n')}`),
    'pages/house-rules',
    'conflict here',
  ],
])('opens the other parts despite a bad %s, and names the bad one (%#)', async (file, spoil, part, message) => {
  const path = join(copy.folder, file);
  writeFileSync(path, spoil(readFileSync(path, 'utf8')));
  const { read, send } = await openDesk(copy.folder);
  const overview = (await read('/desk/website')).textContent;
  expect(overview).toContain(message);
  expect((await read(`/desk/website/${part}`)).textContent).toContain(message);
  expect((await read(`/desk/website/${part}`)).textContent).not.toContain('undefined');
  await send('/desk/website/first-screen', { 'home.hero.headline': 'New words' });
  expect(value(await read('/desk/website/first-screen'), 'home.hero.headline')).toBe('New words');
});
