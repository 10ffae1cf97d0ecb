import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { pictureMistakes } from '#content/check-pictures.ts';
import { picturesPlugin } from './pictures-plugin.ts';

test('a portrait that is no picture stops development too, with the words of the content check', async () => {
  const content = contentFolder();
  writeFileSync(join(content, 'portrait.jpg'), 'Dear designer, please find my photograph attached.');
  const [message] = await pictureMistakes(content);
  await expect(builtFrom(content)).rejects.toThrow(message);
});

test("the portrait that is drawn has the agency's colours", async () => {
  const content = contentFolder();
  rmSync(join(content, 'portrait.jpg'));
  writeFileSync(join(content, 'brand.yaml'), 'brand:\n  deep: "#2b1a4f"\n  sun: "#ff9e7a"\n');
  const drawing = await drawnFrom(content);
  expect(drawing).toContain('fill="#2b1a4f"');
  expect(drawing).toContain('fill="#ff9e7a"');
  expect(drawing).not.toMatch(/#0d3b38|#e2a544/);

  writeFileSync(join(content, 'brand.yaml'), 'brand: {}\n');
  expect(await drawnFrom(content)).toContain('fill="#0d3b38"');
});

function contentFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portrait-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(fileURLToPath(new URL('../../test/content', import.meta.url)), folder, { recursive: true });
  return folder;
}

async function drawnFrom(content: string): Promise<string> {
  const drawing = (await builtFrom(content)).find(({ fileName }) => fileName.endsWith('.svg')) as Rolldown.OutputAsset;
  return Buffer.from(drawing.source).toString();
}

async function builtFrom(content: string) {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [picturesPlugin(content)],
    build: {
      write: false,
      assetsInlineLimit: 0,
      rolldownOptions: { input: 'virtual:portrait', preserveEntrySignatures: 'strict' },
    },
  });
  return (built as Rolldown.RolldownOutput).output;
}
