import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fitOverlay } from '#content/apply-overlay.ts';
import { checkContentFiles } from '#content/parse-content.ts';
import { TEST_CONTENT } from '../../test/test-content.ts';
import { upgradeOverlay } from './content-versions.ts';

// Each file has every field of its format, as an owner may have published it. A field that is renamed, removed or made
// stricter fails here: rename it in `upgradeOverlay`, raise FORMAT, and add a file of the new format.
test.each(globSync('format-*.json', { cwd: join(TEST_CONTENT, '../overlays') }))('still reads %s', (file) => {
  const published = JSON.parse(readFileSync(join(TEST_CONTENT, '../overlays', file), 'utf8'));
  const overlay = upgradeOverlay({ ...published, overlay: JSON.stringify(published.overlay) });
  const base = { folder: TEST_CONTENT, readPicture: () => undefined };
  const { misfits } = fitOverlay(base, overlay, (drafts) => checkContentFiles(TEST_CONTENT, drafts).errors);
  expect(misfits).toEqual([]);
});
