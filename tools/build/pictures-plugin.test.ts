import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { findPictureMistakes } from '#content/check-pictures.ts';
import { copyContentForEachTest } from '../../test/content-copy.ts';
import { picturesPlugin } from './pictures-plugin.ts';

const copy = copyContentForEachTest();

test('a portrait that is no picture stops development too, with the words of the content check', async () => {
  writeFileSync(join(copy.folder, 'portrait.jpg'), 'Dear designer, please find my photograph attached.');
  const [message] = await findPictureMistakes(copy.folder);
  await expect(buildPortrait()).rejects.toThrow(message);
});

test("the portrait that is drawn has the agency's colours", async () => {
  rmSync(join(copy.folder, 'portrait.jpg'));
  writeFileSync(join(copy.folder, 'brand.yaml'), 'brand:\n  deep: "#2b1a4f"\n  sun: "#ff9e7a"\n');
  const drawing = await drawPortrait();
  expect(drawing).toContain('fill="#2b1a4f"');
  expect(drawing).toContain('fill="#ff9e7a"');
  expect(drawing).not.toMatch(/#0d3b38|#e2a544/);

  writeFileSync(join(copy.folder, 'brand.yaml'), 'brand: {}\n');
  expect(await drawPortrait()).toContain('fill="#0d3b38"');
});

async function drawPortrait(): Promise<string> {
  const drawing = (await buildPortrait()).find(({ fileName }) => fileName.endsWith('.svg')) as Rolldown.OutputAsset;
  return Buffer.from(drawing.source).toString();
}

async function buildPortrait() {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [picturesPlugin(copy.folder)],
    build: {
      write: false,
      assetsInlineLimit: 0,
      rolldownOptions: { input: 'virtual:portrait', preserveEntrySignatures: 'strict' },
    },
  });
  return (built as Rolldown.RolldownOutput).output;
}
