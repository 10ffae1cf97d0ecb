import { Renderer } from '@takumi-rs/core';
import subsetFont from 'subset-font';
import { expect, test } from 'vitest';
import { chooseFontFiles } from '#content/brand/font-families.ts';
import { listUsedCharacters } from '#content/brand/used-characters.ts';
import { brand, content } from '../../test/test-content.ts';
import { curlApostrophe } from './curl-apostrophe.ts';

test.each(['newsreader', 'source-serif-4'])('makes a straight apostrophe in %s look curly', async (family) => {
  const { font, characters } = chooseFontFiles(
    { headings: family, text: 'figtree' },
    listUsedCharacters({ ...content, brand }),
  )[0]!;
  const subset = await subsetFont(font, characters, { targetFormat: 'truetype', keepFeatures: [] });
  const [straight, curly] = [await draw(subset, "they'd"), await draw(subset, 'they’d')];
  expect(straight.equals(curly)).toBe(false);
  expect((await draw(curlApostrophe(subset), "they'd")).equals(curly)).toBe(true);
});

async function draw(font: Buffer, text: string): Promise<Buffer> {
  const renderer = new Renderer();
  await renderer.registerFont({ name: 'drawn', data: font });
  const css = ['.text { font-family: drawn; font-size: 40px }'];
  return Buffer.from(await renderer.render({ type: 'text', className: 'text', text }, { width: 200, height: 60, css }));
}
