import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Window } from 'happy-dom';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { saveFields, readFields } from '#desk/website/draft.ts';
import { keepPicture } from '#desk/website/picture-forms.tsx';
import { addPreviewFrame } from '#desk/website/preview.tsx';
import { parseEnvironment } from '#settings/environment.ts';
import { TEST_SITE } from '../built-sites.ts';
import { copyContentForEachTest } from '../content-copy.ts';
import { openDraftForEachTest } from '../open-draft.ts';
import { TEST_CONTENT } from '../test-content.ts';

const copy = copyContentForEachTest();
const open = openDraftForEachTest(() => copy.folder);

test('shows the fonts and the portrait that the owner chose in the preview, and runs no script', async () => {
  const app = new Hono();
  const places = { build: TEST_SITE, site: join(TEST_SITE, 'site') };
  const shown = { name: 'build', folder: TEST_SITE, misfits: [], number: 0 };
  addPreviewFrame(app, { places, shown, env: parseEnvironment({}), picturesKey: '' }, open);
  const read = async () => {
    const html = await (await app.request('/desk/website/preview/light?path=/')).text();
    const { document } = new Window();
    document.write(html);
    return { html, portrait: document.querySelector('#founder img')?.getAttribute('src') };
  };
  const before = await read();
  expect(before.html).not.toContain('Source Serif');

  const site = await open();
  await saveFields(site, readFields(site), new Map([['brand.fonts.headings', 'source-serif-4']]), {});
  const photograph = readFileSync(join(TEST_CONTENT, 'portrait.jpg'));
  await keepPicture(site, 'picture.portrait', new File([photograph], 'me.jpg'));
  const { html, portrait } = await read();
  expect(html).toMatch(/@font-face\{font-family:'Source Serif 4[^']*';src:url\(data:font\/woff2;base64,/);
  expect(html).not.toMatch(/<script\b/);
  expect(portrait).toMatch(/^\/desk\/website\/portrait\//);
  expect((await app.request(portrait!)).headers.get('Content-Type')).toBe('image/jpeg');
});
