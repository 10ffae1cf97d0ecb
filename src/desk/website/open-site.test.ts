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

test('a desk at the site’s own URL publishes on its server, even if the server can’t reach that URL', async () => {
  expect(await findStaticHostContent({ env, places, publishing: {}, origin: SITE_URL })).toBeUndefined();
});

test('a desk on the owner’s machine writes into the files of a static host', async () => {
  expect(await findStaticHostContent({ env, places, publishing: {}, origin: 'http://localhost:3000' })).toBe(
    '/content',
  );
});

test('a desk for a static host never says that text is live, since only the host knows', () => {
  expect(describeLive({ publishing: {} }, { changes: undefined, isStatic: true })).toBe(
    'Your changes are saved to your files',
  );
  expect(describeLive({ publishing: {} }, { changes: undefined, isStatic: false })).toBe(
    'Everything you wrote is live',
  );
});
