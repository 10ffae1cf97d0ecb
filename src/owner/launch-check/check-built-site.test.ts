import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { agency as ofContent } from 'virtual:content';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkBuiltSite } from './check-built-site.ts';

const ORIGIN = 'https://www.example.org';

const registration = { number: 'SC123456', place: 'Scotland' };
const agency = { ...ofContent, registration };

let build: string;

beforeEach(() => {
  build = mkdtempSync(join(tmpdir(), 'built-'));
  mkdirSync(join(build, 'server'));
  writeFileSync(
    join(build, 'server/site.json'),
    JSON.stringify({ documents: ['index.html', 'notice.html', '404.html'] }),
  );
  write('index.html', page({ path: '/' }));
  write('notice.html', page({ path: '/notice' }));
  write(
    '404.html',
    page({ path: '/404' }).replace(/<link.*<meta property/, '<meta name="robots" content="noindex"><meta property'),
  );
  write('picture.png', png(1200, 630));
  write('sitemap.xml', `<urlset><url><loc>${ORIGIN}/</loc></url><url><loc>${ORIGIN}/notice</loc></url></urlset>`);
});

afterEach(() => rmSync(build, { recursive: true }));

test('a sound site has no finding', () => {
  expect(checkBuiltSite(build, agency)).toEqual([]);
});

describe('a finding says where, what, and what to do', () => {
  test.each([
    ['the registered name', agency.legalName, 'the company’s registered name'],
    ['the company number', registration.number, 'the company’s number'],
    ['the place of registration', registration.place, 'the part of the UK in which it is registered'],
    ['the registered office', agency.registeredOffice.street, 'the address of the registered office'],
  ])('%s is missing', (_, fact, problem) => {
    write('notice.html', page({ path: '/notice' }).replaceAll(fact, ''));
    expect(checkBuiltSite(build, agency)).toEqual([one('/notice', problem)]);
  });

  test('the policy names no way to complain', () => {
    for (const file of ['index.html', 'notice.html', '404.html']) {
      write(file, readFileSync(join(build, 'site', file), 'utf8').replace(agency.dataProtection.regulator.url, '/'));
    }
    expect(checkBuiltSite(build, agency)).toEqual([one('content/privacy-policy.md', 'how to complain')]);
  });

  test('a title is too long', () => {
    write('notice.html', page({ path: '/notice', title: 'A'.repeat(61) }));
    expect(checkBuiltSite(build, agency)).toEqual([one('/notice', 'the title has 61 characters')]);
  });

  test('a description is too long, or is not there', () => {
    write('notice.html', page({ path: '/notice', description: 'A'.repeat(161) }));
    expect(checkBuiltSite(build, agency)).toEqual([one('/notice', 'the description has 161 characters')]);
    write('notice.html', page({ path: '/notice', description: '' }));
    expect(checkBuiltSite(build, agency)).toEqual([one('/notice', 'there is no description')]);
  });

  test('a link leads nowhere', () => {
    write('notice.html', page({ path: '/notice', body: '<a href="/gone">Gone</a>' }));
    expect(checkBuiltSite(build, agency)).toEqual([one('/notice', 'the link /gone leads nowhere')]);
  });

  test('an anchor leads nowhere', () => {
    write('notice.html', page({ path: '/notice', body: '<a href="/#gone">Gone</a> <a href="/#top">Top</a>' }));
    expect(checkBuiltSite(build, agency)).toEqual([one('/notice', 'the link /#gone leads nowhere')]);
  });

  test('an image has no text, unless it is beside the name in a link', () => {
    const mark = '<a href="/"><img src="/picture.png" alt=""><span>Quill</span></a>';
    write('notice.html', page({ path: '/notice', body: mark }));
    expect(checkBuiltSite(build, agency)).toEqual([]);
    const alone = '<a href="/"><img src="/picture.png" alt=""></a>';
    write('notice.html', page({ path: '/notice', body: alone }));
    expect(checkBuiltSite(build, agency)).toEqual([one('/notice', 'the image /picture.png has no text')]);

    write('notice.html', page({ path: '/notice', body: '<img src="/picture.png" alt=" ">' }));
    expect(checkBuiltSite(build, agency)).toEqual([one('/notice', 'the image /picture.png has no text')]);
  });

  test('a page is not in the sitemap', () => {
    write('sitemap.xml', `<urlset><url><loc>${ORIGIN}/</loc></url></urlset>`);
    expect(checkBuiltSite(build, agency)).toEqual([one('/notice', 'the page is not in sitemap.xml')]);
  });

  test('the site has no address yet', () => {
    rmSync(join(build, 'site/sitemap.xml'));
    expect(checkBuiltSite(build, agency)).toEqual([one('SITE_URL', 'the site was built without its address')]);
  });

  test('the share image is not there, or has another size', () => {
    write('notice.html', page({ path: '/notice' }).replace('/picture.png', '/gone.png'));
    expect(checkBuiltSite(build, agency)).toEqual([one('/notice', 'there is no share image')]);
    write('gone.png', png(600, 315));
    expect(checkBuiltSite(build, agency)).toEqual([one('/notice', 'there is no share image')]);
  });
});

function one(where: string, problem: string): object {
  return { where, problem: expect.stringContaining(problem), advice: expect.stringMatching(/\w+/) };
}

function page(of: { path: string; title?: string; description?: string; body?: string }): string {
  const { path, title = 'A title', description = 'A description.', body = '' } = of;
  const { legalName, registeredOffice, dataProtection } = agency;
  return `<!doctype html><html><head><title>${title}</title><meta name="description" content="${description}"><link rel="canonical" href="${ORIGIN}${path}"><meta property="og:image" content="${ORIGIN}/picture.png"></head>
    <body id="top"><main>${body}<a href="${dataProtection.regulator.url}">Complain</a></main>
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
