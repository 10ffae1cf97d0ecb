import { expect, test } from 'vitest';
import { explainStaticHost } from './static-host.ts';

const SETTINGS = {
  SITE_URL: 'https://www.example.org',
  NEWSLETTER_ENDPOINT: 'https://news.example.org/api/newsletter',
};

test.each(['NETLIFY', 'CF_PAGES', 'WORKERS_CI'])('names the settings that a build with %s lacks', (variable) => {
  const explain = (settings: Record<string, string>) => explainStaticHost({ [variable]: '1', ...settings });
  expect(explain({})).toMatch(/set SITE_URL .*, and NEWSLETTER_ENDPOINT .*Add both in \w+ under/);
  expect(explain({ SITE_URL: SETTINGS.SITE_URL })).toMatch(/yet: set NEWSLETTER_ENDPOINT .*Add it in \w+ under/);
  expect(explain(SETTINGS)).toBeUndefined();
});

test('says how to deploy to Vercel, which would serve a connected repository without headers', () => {
  expect(explainStaticHost({ VERCEL: '1', ...SETTINGS })).toContain('npx vercel deploy dist/site --prod');
});

test('allows a build without settings on the owner’s own machine', () => {
  expect(explainStaticHost({})).toBeUndefined();
});
