import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agency as ofContent } from 'virtual:content';
import { beforeEach, expect, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { checkBuiltSite } from './check-built-site.ts';

const ORIGIN = 'https://www.example.org';

const registration = { number: 'SC123456', place: 'Scotland' };
const agency = { ...ofContent, registration };
const { legalName, registeredOffice } = agency;

let build: string;

beforeEach(() => {
  build = makeFolder();
  mkdirSync(join(build, 'server'));
  writeFileSync(
    join(build, 'server/site.json'),
    JSON.stringify({ documents: ['index.html', 'notice.html', '404.html'] }),
  );
  write('index.html', page({ path: '/' }));
  write('notice.html', page({}));
  write(
    '404.html',
    page({ path: '/404' }).replace(/<link.*<meta property/, '<meta name="robots" content="noindex"><meta property'),
  );
  write('picture.png', png(1200, 630));
  write('small.png', png(600, 315));
  write('sitemap.xml', `<urlset><url><loc>${ORIGIN}/</loc></url><url><loc>${ORIGIN}/notice</loc></url></urlset>`);
});

test('a sound site has no finding', () => {
  expect(checkBuiltSite(build, agency)).toEqual([]);
});

test.each<[string, string, string?]>([
  ['its registered name', page({}).replaceAll(legalName, ''), 'the company’s registered name'],
  ['its number', page({}).replaceAll(registration.number, ''), 'the company’s number'],
  ['its place of registration', page({}).replaceAll(registration.place, ''), 'the part of the UK in which'],
  ['its registered office', page({}).replaceAll(registeredOffice.street, ''), 'the address of the registered office'],
  ['a title of at most 60 characters', page({ title: 'A'.repeat(61) }), 'the title has 61 characters'],
  ['a description of at most 160', page({ description: 'A'.repeat(161) }), 'the description has 161 characters'],
  ['a description', page({ description: '' }), 'there is no description'],
  ['links that lead somewhere', page({ body: link('/gone') }), 'the link /gone leads nowhere'],
  ['anchors that lead somewhere', page({ body: link('/#gone') + link('/#top') }), 'the link /#gone leads nowhere'],
  ['the text of an image', page({ body: image(' ') }), 'the image /picture.png has no text'],
  ['the text of an image alone in a link', page({ body: link('/', image('')) }), 'the image /picture.png has no text'],
  ['no text of one beside a name', page({ body: link('/', `${image('')}<span>Quill</span>`) })],
  ['its share image', page({}).replace('/picture.png', '/gone.png'), 'there is no share image'],
  ['a share image of 1200×630', page({}).replace('/picture.png', '/small.png'), 'there is no share image'],
])('a page needs %s; a finding says where, what, and what to do', (_, markup, problem) => {
  write('notice.html', markup);
  expect(checkBuiltSite(build, agency)).toEqual(problem === undefined ? [] : [one('/notice', problem)]);
});

test('the policy names a way to complain', () => {
  for (const file of ['index.html', 'notice.html', '404.html']) {
    write(file, readFileSync(join(build, 'site', file), 'utf8').replace(agency.dataProtection.regulator.url, '/'));
  }
  expect(checkBuiltSite(build, agency)).toEqual([one('content/privacy-policy.md', 'how to complain')]);
});

test('each page is in the sitemap, which a site has once it has an address', () => {
  write('sitemap.xml', `<urlset><url><loc>${ORIGIN}/</loc></url></urlset>`);
  expect(checkBuiltSite(build, agency)).toEqual([one('/notice', 'the page is not in sitemap.xml')]);
  rmSync(join(build, 'site/sitemap.xml'));
  expect(checkBuiltSite(build, agency)).toEqual([one('SITE_URL', 'the site was built without its address')]);
});

function one(where: string, problem: string): object {
  return { where, problem: expect.stringContaining(problem), advice: expect.stringMatching(/\w+/) };
}

function link(address: string, content = 'There'): string {
  return `<a href="${address}">${content}</a>`;
}

function image(text: string): string {
  return `<img src="/picture.png" alt="${text}">`;
}

function page(of: { path?: string; title?: string; description?: string; body?: string }): string {
  const { path = '/notice', title = 'A title', description = 'A description.', body = '' } = of;
  return `<!doctype html><html><head><title>${title}</title><meta name="description" content="${description}"><link rel="canonical" href="${ORIGIN}${path}"><meta property="og:image" content="${ORIGIN}/picture.png"></head>
    <body id="top"><main>${body}<a href="${agency.dataProtection.regulator.url}">Complain</a></main>
    <footer>${legalName} ${registration.number} ${registration.place} ${Object.values(registeredOffice).join(' ')}</footer></body></html>`;
}

function write(file: string, content: string | Buffer): void {
  mkdirSync(dirname(join(build, 'site', file)), { recursive: true });
  writeFileSync(join(build, 'site', file), content);
}

/** As much of a PNG as says its size. */
function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(24);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}
