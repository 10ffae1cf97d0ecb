import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { listFiles } from '#content/list-files.ts';
import { makeFolder } from '../../test/make-folder.ts';
import { copyPublicFiles, findOwnIcon } from './copy-public-files.ts';

/** @returns the folder of the site */
async function publish(files: Record<string, Buffer | string>, site = makeFolder()): Promise<string> {
  const folder = makeFolder();
  for (const [file, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), bytes);
  }
  await copyPublicFiles(folder, site);
  return site;
}

const draw = (width: number) => sharp({ create: { width, height: 20, channels: 3, background: 'green' } });
const withPlace = (picture: ReturnType<typeof draw>) => picture.withExif({ IFD0: { Model: 'Phone' } });

test.each(['jpeg', 'png', 'webp', 'avif'] as const)(
  'keeps the size of a %s for the press, but not where it was taken',
  async (format) => {
    const photo = await withPlace(draw(4000)).toFormat(format).toBuffer();
    expect(photo.includes('Phone')).toBe(true);
    const site = await publish({ [`press/founder.${format}`]: photo });
    const published = readFileSync(join(site, `press/founder.${format}`));
    expect(published.includes('Phone')).toBe(false);
    expect(await sharp(published).metadata()).toMatchObject({ width: 4000 });
  },
);

test('makes an update’s picture small enough for emails', async () => {
  const site = await publish({ 'updates/office.jpg': await draw(1600).jpeg().toBuffer() });
  expect(await sharp(join(site, 'updates/office.jpg')).metadata()).toMatchObject({ width: 1200 });
});

test('rotates a picture that is stored sideways', async () => {
  const site = await publish({ 'a.jpg': await draw(40).withMetadata({ orientation: 6 }).jpeg().toBuffer() });
  expect(await sharp(join(site, 'a.jpg')).metadata()).toMatchObject({ width: 20, height: 40 });
});

test('leaves pictures without metadata, and other files, unchanged', async () => {
  const files = { 'large.png': await draw(4000).png().toBuffer(), 'broken.jpg': Buffer.from('words') };
  const site = await publish(files);
  for (const [file, bytes] of Object.entries(files)) expect(readFileSync(join(site, file))).toEqual(bytes);
});

test('replaces the generated robots.txt with the owner’s', async () => {
  const site = makeFolder();
  writeFileSync(join(site, 'robots.txt'), 'ours');
  await publish({ 'robots.txt': 'own' }, site);
  expect(readFileSync(join(site, 'robots.txt'), 'utf8')).toBe('own');
});

test.each([
  [['favicon.ico'], '/favicon.ico'],
  [['favicon.ico', 'favicon.svg'], '/favicon.svg'],
  [['robots.txt'], undefined],
])('of %j, has pages link the icon %s', (files, ownIcon) => {
  const folder = makeFolder();
  for (const file of files) writeFileSync(join(folder, file), '');
  expect(findOwnIcon(folder)).toEqual(ownIcon === undefined ? {} : { ownIcon });
});

test('never publishes what systems and editors leave in public/', async () => {
  const some =
    '.DS_Store|press/._founder.jpg|Thumbs.db|press/desktop.ini|terms.pdf~|.terms.txt.swp|.env|press/.env.local|.git/config';
  const others =
    '~$terms.docx|#notes.txt#|__MACOSX/founder.jpg|Icon\r|ehthumbs.db|press/.AppleDouble/founder.jpg|.idea/workspace.xml|node_modules/left-pad/index.js|terms.html.bak|terms.html.orig|.npmrc|#recycle/founder.jpg|founder.jpg:Zone.Identifier';
  const left = `${some}|${others}`.split('|');
  const published = ['.well-known/assetlinks.json', 'terms.pdf', 'press/founder.txt'];
  const site = await publish(Object.fromEntries([...left, ...published].map((file) => [file, 'x'])));
  expect(listFiles(site).toSorted()).toEqual(published.toSorted());
});

test('publishes a file under the composed name (NFC) that links use, even if a Mac decomposed its umlaut', async () => {
  const site = await publish({ ['Gebühren.pdf'.normalize('NFD')]: 'x' });
  expect(existsSync(join(site, 'Gebühren.pdf'.normalize('NFC')))).toBe(true);
});
