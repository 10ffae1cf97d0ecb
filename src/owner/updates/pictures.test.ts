import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { savePicture } from './pictures.ts';

const GIF = 'GIF89a and the rest of a picture';

test('a dropped picture is saved for the next build and for the preview, beside one of the same name', async () => {
  const folder = makeFolder();
  const [kept, site] = [join(folder, 'public'), join(folder, 'site')];
  const places = { project: undefined, pictures: [kept, site], site, updates: '' };
  const picture = new File([GIF], 'Löhne 2026.gif');
  expect(await savePicture(places, picture)).toBe('![Löhne 2026](/updates/lohne-2026.gif)');
  expect(await savePicture(places, picture)).toBe('![Löhne 2026](/updates/lohne-2026-2.gif)');
  for (const file of ['public/updates/lohne-2026-2.gif', 'site/updates/lohne-2026-2.gif']) {
    expect(readFileSync(join(folder, file), 'utf8')).toBe(GIF);
  }
  expect(readdirSync(join(site, 'updates')).toSorted()).toEqual(['lohne-2026-2.gif', 'lohne-2026.gif']);
});
