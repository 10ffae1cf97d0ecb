import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { picturesPlugin } from './pictures-plugin.ts';

test('a portrait that is no picture stops the build and says which file and what was expected', async () => {
  const content = mkdtempSync(join(tmpdir(), 'portrait-'));
  onTestFinished(() => rmSync(content, { recursive: true }));
  writeFileSync(join(content, 'portrait.jpg'), 'Dear designer, please find my photograph attached.');
  const building = build({
    configFile: false,
    logLevel: 'silent',
    plugins: [picturesPlugin(content)],
    build: { write: false, rolldownOptions: { input: 'virtual:portrait' } },
  });
  await expect(building).rejects.toThrow(/portrait\.jpg: expected a photograph, as JPEG, PNG or WebP/);
});
