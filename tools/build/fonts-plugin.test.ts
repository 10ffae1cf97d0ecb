import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from 'vite';
import { expect, test, vi } from 'vitest';
import { copyContentForEachTest } from '../../test/content-copy.ts';
import { contentPlugin } from './content-plugin.ts';
import { fontsPlugin } from './fonts-plugin.ts';

const copy = copyContentForEachTest();

test('in development another font is shown without another start', async () => {
  const server = await createServer({
    configFile: false,
    logLevel: 'silent',
    server: { middlewareMode: true, ws: false },
    plugins: [contentPlugin(copy.folder), fontsPlugin(copy.folder).plugin],
  });
  const readFonts = async () => (await server.environments.client.transformRequest('virtual:fonts.css'))!.code;
  expect(await readFonts()).toContain('Newsreader');

  writeFileSync(join(copy.folder, 'brand.yaml'), 'fonts:\n  headings: source-serif-4\n');
  await vi.waitFor(async () => expect(await readFonts()).toContain('Source Serif 4'), { timeout: 10_000 });
  await server.close();
}, 20_000);
