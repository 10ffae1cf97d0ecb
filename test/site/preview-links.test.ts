import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { readBuiltSite } from '#build/built-site.ts';
import { addPreview, endPreview, listPreviews, PREVIEW_PATH } from '#publishing/content-previews.ts';
import { MAXIMAL_SITE, TEST_SITE } from '../built-sites.ts';
import { makeFolder } from '../make-folder.ts';
import { openPublishedSite } from '../published-site.ts';

test('shows a draft by link as a whole site that isn’t cached or indexed, until the link is revoked', async () => {
  const { read, store } = await openPublishedSite({ DATA_DIR: makeFolder() });
  const overlay = { 'home.hero.headline': { value: 'Only in the draft', over: null } };
  const token = await addPreview(store, overlay, 'anna@example.org', Date.now());
  const home = await read(`${PREVIEW_PATH}/${token}`);
  expect(home.response.status).toBe(200);
  expect(home.text).toContain('Only in the draft');
  expect(home.response.headers.get('X-Robots-Tag')).toBe('noindex');
  expect(home.response.headers.get('Cache-Control')).toBe('private, no-store');
  const policy = `${PREVIEW_PATH}/${token}/privacy-policy`;
  expect(home.text).toContain(`href="${policy}"`);
  expect((await read(policy)).text).toContain(`href="${PREVIEW_PATH}/${token}"`);
  const files = [...home.text.matchAll(/(?:(?:src|href|data-interactions)="|url\()((?:\/[^")]*)?\/assets\/[^")]+)/g)];
  expect(files.length).toBeGreaterThan(4);
  for (const [, file] of files) {
    expect(file).toMatch(new RegExp(`^${PREVIEW_PATH}/${token}/assets/`));
    expect([file, (await read(file!)).response.status]).toEqual([file, 200]);
  }
  const [, style] = /<style>(.*?)<\/style>/s.exec(home.text)!;
  const styleHash = createHash('sha256').update(style!).digest('base64');
  expect(home.response.headers.get('Content-Security-Policy')).toContain(`'sha256-${styleHash}'`);
  expect((await read('/')).text, 'visitors see what is live').not.toContain('Only in the draft');

  const later = Date.now() + 8 * 86_400_000;
  expect(await listPreviews(store, later), 'the link expires by itself').toEqual([]);
  const [preview] = await listPreviews(store, Date.now());
  await endPreview(store, preview!.id);
  expect((await read(`${PREVIEW_PATH}/${token}`)).response.status).toBe(404);
  expect(readBuiltSite(TEST_SITE).documents).toContain('index.html');
});

test('a preview loads no tag, and sends its URL to no other site', async () => {
  const { read, store } = await openPublishedSite({ DATA_DIR: makeFolder(), ...MAXIMAL_SITE.env }, MAXIMAL_SITE.build);
  expect((await read('/')).text).toContain('data-tags');
  const token = await addPreview(store, {}, 'anna@example.org', Date.now());
  const { response, text } = await read(`${PREVIEW_PATH}/${token}`);
  expect(text).not.toContain('data-tags');
  expect(response.headers.get('Content-Security-Policy')).toContain("script-src 'self';");
  expect(response.headers.get('Referrer-Policy')).toBe('no-referrer');
});
