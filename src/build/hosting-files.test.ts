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

test('lets browsers keep only files that are in assets/ for a year', async () => {
  const { headers, vercel } = await write(['assets/loader-1a2b.js']);
  expect(headers).toContain('/assets/loader-1a2b.js\n  Cache-Control: public, max-age=31536000, immutable');
  expect(headers).not.toContain('/assets/*');
  const sources = vercel.headers.map(({ source }: { source: string }) => source);
  expect(sources).not.toContain('/assets/(.*)');
});

test('escapes a name that would be a pattern for a host', async () => {
  const { headers, vercel } = await write(['a+b.pdf', 'terms (1).pdf']);
  expect(headers).toContain('\n/terms%20(1).pdf\n');
  const sources = vercel.headers.map(({ source }: { source: string }) => source);
  expect(sources).toContain(String.raw`/a\+b.pdf`);
  expect(sources).toContain(String.raw`/terms%20\(1\).pdf`);
});

test('gives a page one URL, and leaves a file that a service asks for at its own', async () => {
  const { redirects, vercel } = await write(['google1234.html']);
  expect(redirects).toBe('/google1234.html /google1234 200\n');
  expect(vercel.cleanUrls).toBeUndefined();
  expect(vercel.rewrites).toEqual([{ source: '/terms', destination: '/terms.html' }]);
  expect(vercel.redirects).toEqual([{ source: '/terms.html', destination: '/terms', statusCode: 308 }]);
});

test('redirects old URLs to new ones on every host', async () => {
  const { redirects, vercel } = await write([], [{ from: '/about-us', to: '/#founder' }]);
  expect(redirects).toBe('/about-us /#founder 301\n');
  expect(vercel.redirects[0]).toEqual({ source: '/about-us', destination: '/#founder', statusCode: 301 });
});

test('reports what a host would drop', async () => {
  const { limits } = await write(Array.from({ length: 100 }, (_, index) => `${index}.pdf`));
  expect(limits).toEqual([expect.stringMatching(/^1\d\d files have rules in _headers/)]);
});
