import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { content } from '../../test/test-content.ts';
import { securityTxt } from '#layout/crawler-files.ts';
import { openNewsletter } from '#newsletter/open-newsletter.ts';
import type { Site } from '#layout/page.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { createDevelopmentApp, createSiteApp } from './routes.tsx';

const folder = mkdtempSync(join(tmpdir(), 'test-'));
const newsletter = await openNewsletter(parseEnvironment({ DATA_DIR: folder }), content);
const options = { newsletter, log: () => {} };

afterAll(async () => {
  await newsletter.close();
  rmSync(folder, { recursive: true });
});

const site: Site = {
  content,
  footerLinks: [],
  settings: { siteUrl: undefined, newsletterEndpoint: '/api/newsletter', hstsSubdomains: false },
  assets: {
    loader: '/loader.js',
    interactions: '/interactions.js',
    fonts: [],
    shareImages: {},
  },
};

test('responds to a server failure with a page with its message, but no stack trace', async () => {
  const app = createSiteApp(
    site,
    {
      has: () => true,
      read: () => undefined,
      serve: () => {
        throw new Error('The disk said <no>');
      },
      notFound: () => new Response(),
    },
    options,
  );
  const response = await app.request('/somewhere');
  const page = await response.text();
  expect(response.status).toBe(500);
  expect(page).toContain('Unexpected Application Error!');
  expect(page).toContain('The disk said &lt;no&gt;');
  expect(page).not.toMatch(/routes\.test|node_modules|at \w+ \(/);
  expect(page).toContain('<meta name="robots" content="noindex"/>');
});

test.each(['/nowhere', '/nowhere/', '/404', '/a/b/c/d', '/index.html', '/privacy-policy.html', '/%E0%A4%A'])(
  'responds to %s with 404',
  async (path) => {
    const response = await createDevelopmentApp(site, options).request(path);
    expect(response.status).toBe(404);
    const page = await response.text();
    expect(page).toContain('Oops! Page not found');
    // The address may have a token that works.
    expect(/<head>.*<\/head>/s.exec(page)![0]).toContain('<meta name="referrer" content="no-referrer"/>');
  },
);

test.each(['', '?utm_source=linkedin&utm_medium=post', '?a=%2F%20b&c', '?utm_term=b%C3%BCro//x'])(
  'redirects from a trailing slash to the page, with the query %j',
  async (query) => {
    const response = await createDevelopmentApp(site, options).request(`/privacy-policy/${query}`);
    expect(response.status).toBe(301);
    expect(response.headers.get('Location')).toBe(`/privacy-policy${query}`);
  },
);

test('redirects an old URL to its page, but not a POST', async () => {
  const redirects = [
    { from: '/about-us', to: '/#founder' },
    { from: '/%C3%9Cber-100%25', to: '/#founder' },
  ];
  const app = createDevelopmentApp(
    { ...site, content: { ...content, pages: { ...content.pages, redirects } } },
    options,
  );
  for (const path of ['/about-us', '/about-us/', '/Über-100%25', '/%c3%9cber-100%25/']) {
    const response = await app.request(path);
    expect([response.status, response.headers.get('Location')]).toEqual([301, '/#founder']);
  }
  const fromCampaign = await app.request('/about-us?utm_source=card');
  expect(fromCampaign.headers.get('Location'), 'with its query').toBe('/?utm_source=card#founder');
  expect((await app.request('/about-us', { method: 'POST' })).status).toBe(404);
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
  'rejects %s for a page, and names the allowed methods',
  async (method) => {
    for (const path of ['/', '/privacy-policy']) {
      const response = await createDevelopmentApp(site, options).request(path, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('Allow')).toBe('GET, HEAD');
    }
    expect((await createDevelopmentApp(site, options).request('/nowhere', { method })).status).toBe(404);
  },
);

test('links the owner’s own icon, and then no other', async () => {
  const app = createDevelopmentApp({ ...site, assets: { ...site.assets, ownIcon: '/favicon.ico' } }, options);
  const page = await (await app.request('/')).text();
  expect(page.match(/<link rel="icon"[^>]*>/g)).toEqual(['<link rel="icon" href="/favicon.ico"/>']);
});

test('never lets the security.txt of a running server expire, and leaves the owner’s own unchanged', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2030-01-01') });
  onTestFinished(() => void vi.useRealTimers());
  const open = (text: string) =>
    createSiteApp(
      site,
      {
        has: () => true,
        read: () => text,
        serve: (c) => Promise.resolve(c.text(text)),
        notFound: () => new Response(),
      },
      options,
    );
  const built = securityTxt(content.agency, undefined, new Date('2026-01-01'));
  const served = await (await open(built).request('/.well-known/security.txt')).text();
  expect(served).toMatch(/^Expires: 2030-12-27T/m);
  const own = 'Contact: mailto:security@example.org\nExpires: 2026-06-01T00:00:00Z\n';
  expect(await (await open(own).request('/.well-known/security.txt')).text()).toBe(own);
});

test.each([
  ['de', 'de_DE', 'de'],
  ['fr-CH', 'fr_CH', 'fr'],
  ['pt-BR', 'pt_BR', 'pt'],
  ['nl', 'nl_NL', 'nl'],
  ['zh-Hant', 'zh_TW', 'zh'],
])(
  'uses one setting for the language of pages, link previews, structured data, the manifest and security.txt: %s',
  async (language, locale, preferred) => {
    const translated: Site = {
      ...site,
      content: { ...content, agency: { ...content.agency, language } },
      settings: { ...site.settings, siteUrl: 'https://www.example.org' },
    };
    const app = createDevelopmentApp(translated, options);
    const page = await (await app.request('/')).text();
    expect(page).toContain(`<html lang="${language}"`);
    // Open Graph accepts only a language and a territory.
    expect(page).toContain(`<meta property="og:locale" content="${locale}"/>`);
    expect(page).toContain(`"inLanguage":"${language}"`);
    expect(await (await app.request('/manifest.webmanifest')).json()).toMatchObject({ lang: language });
    const security = await (await app.request('/.well-known/security.txt')).text();
    expect(security).toContain(`Preferred-Languages: ${preferred}\n`);
  },
);
