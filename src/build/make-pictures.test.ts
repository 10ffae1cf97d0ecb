import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { readContent } from '#content/parse-content.ts';
import { copyContentForEachTest } from '../../test/content-copy.ts';
import { collectFiles } from './made-files.ts';
import { makePortrait } from './make-pictures.ts';

const copy = copyContentForEachTest();
const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
const drawings = {
  favicon: path('src/layout/favicon.svg'),
  mark: path('src/layout/mark.svg'),
  portrait: path('src/pages/home/portrait.svg'),
};

test("gives the drawn portrait the agency's colours", async () => {
  rmSync(join(copy.folder, 'portrait.jpg'));
  writeFileSync(join(copy.folder, 'brand.yaml'), 'brand:\n  deep: "#2b1a4f"\n  sun: "#ff9e7a"\n');
  const drawing = Buffer.from([...(await make()).values()][0]!).toString();
  expect(drawing).toContain('fill="#2b1a4f"');
  expect(drawing).toContain('fill="#ff9e7a"');
  expect(drawing).not.toMatch(/#0d3b38|#e2a544/);
});

test("gives a cut-out portrait the panel's background in every format", async () => {
  rmSync(join(copy.folder, 'portrait.jpg'));
  const clear = { width: 500, height: 600, channels: 4, background: { r: 255, g: 255, b: 255, alpha: 0 } } as const;
  await sharp({ create: clear }).png().toFile(join(copy.folder, 'portrait.png'));
  const files = await make();
  expect([...files.keys()].map((name) => name.split('.').at(-1))).toEqual(
    expect.arrayContaining(['avif', 'webp', 'jpg']),
  );
  for (const bytes of files.values()) {
    const { data } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    // #0d3b38, as exactly as each format keeps a colour.
    for (const [channel, value] of [0x0d, 0x3b, 0x38].entries())
      expect(Math.abs(data[channel]! - value)).toBeLessThan(6);
  }
});

async function make(): Promise<Map<string, Uint8Array>> {
  const made = collectFiles();
  await makePortrait(copy.folder, readContent(copy.folder).brand, drawings, made);
  return made.files;
}
