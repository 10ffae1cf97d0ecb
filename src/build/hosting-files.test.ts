import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { content } from '../../test/test-content.ts';
import type { BuiltSite } from './built-site.ts';
import { writeHostingFiles } from './hosting-files.ts';

const DOCUMENTS = ['index.html', '404.html', 'terms.html'];

/** The files for hosts of a site with these files and redirects. */
async function write(files: string[], redirects: { from: string; to: string }[] = []) {
  const out = makeFolder();
  const site: BuiltSite = {
    content: { ...content, pages: { ...content.pages, redirects } },
    settings: { siteUrl: undefined, newsletterEndpoint: '/api/newsletter', hstsSubdomains: false },
    assets: { loader: '/loader.js', interactions: '/interactions.js', fonts: [], shareImages: {} },
    documents: DOCUMENTS,
    code: '',
    contentHash: '',
  };
  for (const file of [...DOCUMENTS, ...files]) {
    mkdirSync(dirname(join(out, 'site', file)), { recursive: true });
    writeFileSync(join(out, 'site', file), '');
  }
  writeFileSync(join(out, 'content.json'), JSON.stringify(site));
  const limits = await writeHostingFiles(out, site, []);
  const read = (file: string) => readFileSync(join(out, 'site', file), 'utf8');
  return { limits, headers: read('_headers'), redirects: read('_redirects'), vercel: JSON.parse(read('vercel.json')) };
}

test('lets browsers cache existing files in assets/ for a year, but not missing ones', async () => {
  const { headers, vercel } = await write(['assets/loader-1a2b.js']);
  expect(headers).toContain('/assets/loader-1a2b.js\n  Cache-Control: public, max-age=31536000, immutable');
  expect(headers).not.toContain('/assets/*');
  const sources = vercel.headers.map(({ source }: { source: string }) => source);
  expect(sources).not.toContain('/assets/(.*)');
});

test.each([
  ['a+b.pdf', '/a+b.pdf', String.raw`/a\+b.pdf`],
  ['terms (1).pdf', '/terms%20(1).pdf', String.raw`/terms%20\(1\).pdf`],
  ['[x].pdf', '/[x].pdf', '/[x].pdf'],
  ['100%.pdf', '/100%25.pdf', '/100%25.pdf'],
  ['what? #1 {a}.pdf', '/what%3F%20%231%20%7Ba%7D.pdf', '/what%3F%20%231%20%7Ba%7D.pdf'],
  ['Größe "XL".pdf', '/Gr%C3%B6%C3%9Fe%20%22XL%22.pdf', '/Gr%C3%B6%C3%9Fe%20%22XL%22.pdf'],
])('has a rule for %s as browsers request it, and escapes pattern characters', async (file, path, source) => {
  const { headers, vercel } = await write([file]);
  expect(headers).toContain(`\n${path}\n`);
  expect(vercel.headers.map((rule: { source: string }) => rule.source)).toContain(source);
});

test('has a rule for the URL to which Cloudflare redirects a name in brackets', async () => {
  expect((await write(['[x].pdf'])).headers).toContain('\n/%5Bx%5D.pdf\n');
});

test.each(['a*.pdf', ':name.pdf'])('has no rule for %s that other files would match, and reports it', async (file) => {
  const { headers, limits } = await write([file]);
  expect(headers).not.toContain(file);
  expect(limits).toEqual([expect.stringContaining(`public/${file} has no headers of its own`)]);
});

test('gives a page one URL, and serves a verification file at its exact URL', async () => {
  const { redirects, vercel } = await write(['google1234.html']);
  expect(redirects).toBe('/google1234.html /google1234 200\n');
  expect(vercel.cleanUrls).toBeUndefined();
  expect(vercel.rewrites).toEqual([{ source: '/terms', destination: '/terms.html' }]);
  expect(vercel.redirects).toEqual([{ source: '/terms.html', destination: '/terms', statusCode: 308 }]);
});

test('redirects old URLs to new ones on every host, with or without a trailing slash', async () => {
  const { redirects, vercel } = await write([], [{ from: '/about-us', to: '/#founder' }]);
  expect(redirects).toBe('/about-us /#founder 301\n/about-us/ /#founder 301\n');
  expect(vercel.redirects[0]).toEqual({ source: '/about-us', destination: '/#founder', statusCode: 301 });
});

test('escapes what Vercel would read as a reference to the old URL, or reports that it can’t', async () => {
  const to = 'https://example.org:8080/a:b(1)';
  const { vercel, limits } = await write([], [{ from: '/a', to }]);
  expect(vercel.redirects[0].destination).toBe('https://example.org:8080/a%3Ab%281%29');
  expect(limits).toEqual([]);
  const unfit = await write([], [{ from: '/a', to: '/terms?at=10:30' }]);
  expect(unfit.limits).toEqual([expect.stringMatching(/^Vercel would reject .*\/a redirects to \/terms/)]);
});

test('reports what a host would drop', async () => {
  const { limits } = await write(Array.from({ length: 100 }, (_, index) => `${index}.pdf`));
  expect(limits).toEqual([expect.stringMatching(/^1\d\d files have rules in _headers/)]);
});
