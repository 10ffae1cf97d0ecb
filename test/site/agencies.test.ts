import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, type Font } from 'fontkitten';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { listFiles } from '#content/list-files.ts';
import { AGENCIES, MAXIMAL_SITE, PUBLIC_SITE, MINIMAL_SITE } from '../built-sites.ts';
import { readBuiltPage } from './read-built-page.ts';

const [full, small] = [MAXIMAL_SITE.build, MINIMAL_SITE.build];

describe('an agency that uses everything', () => {
  test('shows each of its facts', () => {
    const home = readBuiltPage(full, 'index.html');
    const page = home.body.textContent;
    for (const fact of [
      'OC301234',
      'København, Danmark',
      'Kraków, Polska',
      '+48\u00a042\u00a0555\u00a001\u00a099',
      'Step 5',
      'Habit 6',
    ])
      expect(page).toContain(fact);
    expect(home.querySelectorAll('a[rel~="nofollow"]')).toHaveLength(3);
    expect(home.querySelector('a[href="tel:+48425550199"]')).not.toBeNull();
    expect(home.querySelector('meta[name="google-site-verification"]')!.getAttribute('content')).toBe('abcDEF_123-xyz');
    expect(readFileSync(join(full, 'site/llms.txt'), 'utf8')).toContain('Telephone: +48 42 555 01 99');
    const { '@graph': graph } = JSON.parse(home.querySelector('script[type="application/ld+json"]')!.textContent);
    expect(graph[0]).toMatchObject({
      telephone: '+48 42 555 01 99',
      location: [{}, { hasMap: 'https://maps.lodz.test/2' }, { hasMap: 'https://maps.lodz.test/3' }],
    });
  });

  test('lists its tags in the policy and the banner, with what each stores', () => {
    const [policy, home] = ['privacy-policy.html', 'index.html'].map((file) => readBuiltPage(full, file));
    const rows = [...policy!.querySelectorAll('main th[scope="row"]')].map(({ textContent }) => textContent);
    for (const name of ['visit_id', 'visit_s_*', 'visit_user', 'visit_session']) {
      expect(rows).toContain(`${name}Statistics, Visits Ltd`);
      expect(home!.querySelector('#ask-first')!.textContent).toContain(`${name}: `);
    }
    expect(home!.querySelector('#ask-first')!.textContent).toContain('Visits Ltd');
  });

  test('shows its mark in the header, without the name that the mark spells', () => {
    const link = readBuiltPage(full, 'index.html').querySelector('header a[href="/"]')!;
    const mark = link.querySelector('img')!;
    expect(mark.getAttribute('alt')).toBe('Łódź & Søren');
    expect([mark.getAttribute('width'), mark.getAttribute('height')]).toEqual(['80', '40']);
    expect(link.textContent).toBe('');
  });

  test('has fonts with every character on its pages', () => {
    const fonts = listFiles(join(full, 'site/assets')).filter((file) => file.endsWith('.woff2'));
    const known = new Set(
      fonts.flatMap((file) => (create(readFileSync(join(full, 'site/assets', file))) as Font).characterSet),
    );
    const text = readBuiltPage(full, 'index.html').body.textContent.normalize('NFC');
    const drawn = [...new Set(text)].filter((letter) => /[^\p{Z}\p{C}]/u.test(letter));
    expect(drawn.filter((letter) => !known.has(letter.codePointAt(0)!))).toEqual([]);
  });

  test('serves the licences of the fonts that it ships', () => {
    const licences = readFileSync(join(full, 'site/licenses.txt'), 'utf8');
    expect(licences).toMatch(/^## react - \d/m);
    expect(licences).toMatch(/^## @fontsource-variable\/source-sans-3 - [\d.]+ \(OFL-1\.1\)$/m);
    expect(licences).toContain('SIL OPEN FONT LICENSE');
  });

  test('has its mark for emails, in the right proportions', async () => {
    const { width, height } = await sharp(join(full, 'site/mark.png')).metadata();
    expect(width / height).toBeCloseTo(2, 1);
  });

  test('shows its own colours instead of the design’s', () => {
    const page = readFileSync(join(full, 'site/index.html'), 'utf8');
    expect(page).toContain('--deep:#3b0d2c');
    expect(page).not.toMatch(/#0d3b38|#f6b24a/);
  });
});

describe('a sole trader with the bare minimum', () => {
  test('shows its name and address, but no company number', () => {
    for (const file of ['index.html', 'privacy-policy.html', '404.html']) {
      const page = readBuiltPage(small, file).body.textContent;
      expect(page).toContain('Олена Петрівна Коваленко, trading as Олена Коваленко');
      expect(page).toContain('2 Shore Lane');
      expect(page).not.toMatch(/registered|company number|undefined/i);
    }
    const data = readBuiltPage(small, 'index.html').querySelector('script[type="application/ld+json"]')!.textContent;
    expect(data).not.toMatch(/identifier|undefined/);
  });

  test('shows the drawing if there is no photograph', () => {
    const portrait = readBuiltPage(small, 'index.html').querySelector('picture img')!;
    expect(portrait.getAttribute('src')).toMatch(/\.svg$/);
  });

  test('has its own labels in navigation and buttons', () => {
    const page = readBuiltPage(small, 'index.html');
    expect(page.querySelector('header nav')!.textContent).toContain('Галузь');
    expect(page.querySelector('form button[type="submit"]')!.textContent).toBe('Підписатися');
  });
});

describe.each(AGENCIES)('the icons of the agency $name', ({ build }) => {
  test('every icon that the pages or the manifest name has the size given there, and shows its mark', async () => {
    const read = (path: string, folder = build) => readFileSync(join(folder, 'site', path));
    const find = (selector: string) => readBuiltPage(build, 'index.html').querySelector(selector)!;
    const manifest = JSON.parse(read(find('link[rel="manifest"]').getAttribute('href')!).toString());
    expect(manifest.icons.map((icon: { purpose?: string }) => icon.purpose)).toContain('maskable');
    const touch = { src: find('link[rel="apple-touch-icon"]').getAttribute('href')!, sizes: '180x180' };
    for (const { src, sizes } of [...manifest.icons, touch]) {
      const { width, height } = await sharp(read(src)).metadata();
      expect(`${width}x${height}`).toBe(sizes);
      expect(read(src).equals(read(src, PUBLIC_SITE))).toBe(false);
    }
    expect(manifest.theme_color).toBe(find('meta[name="theme-color"]').getAttribute('content'));
    expect(read('/favicon.svg').equals(read('/favicon.svg', PUBLIC_SITE))).toBe(false);
  });
});
