import { expect, test } from 'vitest';
import { parseEnvironment } from '#settings/environment.ts';
import { findStaticHostContent } from './open-site.ts';
import { describeLive } from './publish-page.tsx';

// Nothing listens there, as if the server couldn't reach its own public URL.
const SITE_URL = 'https://127.0.0.1:1';
const env = parseEnvironment({
  DATA_DIR: '/data',
  SITE_URL,
  NEWSLETTER_ENDPOINT: 'https://script.google.com/macros/s/a/exec',
});
const places = { content: '/content', build: '/build', site: '/build/site' };

test('publishes on the server if the desk is at the site’s URL, even if the server can’t reach that URL', async () => {
  expect(await findStaticHostContent({ env, places, publishing: {}, origin: SITE_URL })).toBeUndefined();
});

test('writes into the files of a static host if the desk is on the owner’s machine', async () => {
  expect(await findStaticHostContent({ env, places, publishing: {}, origin: 'http://localhost:3000' })).toBe(
    '/content',
  );
});

test('never says that text on a static host is live, because only the host knows', () => {
  expect(describeLive({ publishing: {} }, { changes: undefined, isStatic: true, hasOverlay: false })).toBe(
    'Your changes are saved to your files',
  );
  expect(describeLive({ publishing: {} }, { changes: undefined, isStatic: false, hasOverlay: false })).toBe(
    'Everything you wrote is live',
  );
});

test('never says that text is in the files of a static host before it has been saved there', () => {
  expect(describeLive({ publishing: {} }, { changes: undefined, isStatic: true, hasOverlay: true })).toBe(
    'Your text is not in your files yet',
  );
});
