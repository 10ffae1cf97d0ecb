import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { listFiles } from '#content/list-files.ts';
import { listParts } from '#desk/website/site-parts.ts';
import { checkBuiltSite } from '#launch-check/check-built-site.ts';
import { listPages, PUBLIC_SITE as build } from '../built-sites.ts';
import { content } from '../test-content.ts';
import { readBuiltPage } from './read-built-page.ts';

describe('a site built from content other than the demonstration’s', () => {
  // The desk's launch check names the demonstration, to find what is left of it.
  const texts = listFiles(build).filter(
    (file) =>
      file !== 'server/desk-thread-program.js' &&
      /(^|\/)_headers$|\.(html|js|css|json|svg|txt|xml|webmanifest)$/.test(file),
  );

  test('has no text from the demonstration', () => {
    expect(texts.length).toBeGreaterThan(20);
    const named = texts.filter((file) => /larkfield|rowan lark/i.test(readFileSync(join(build, file), 'utf8')));
    expect(named).toEqual([]);
  });

  test('has its own name and facts on every page, and no broken links', () => {
    expect(readBuiltPage(build, 'index.html').title).toBe('Quill & Harbour | Software Sales Search');
    expect(checkBuiltSite(build, content.agency)).toEqual([]);
  });
});

test('each place that the desk’s previews scroll to is on its page', () => {
  const previews = listParts(['privacy-policy']).flatMap(({ shown }) => ('place' in shown ? [shown] : []));
  const page = {
    '/': readBuiltPage(build, 'index.html'),
    '/privacy-policy': readBuiltPage(build, 'privacy-policy.html'),
  };
  const missing = previews.filter(({ path, place }) => !page[path as keyof typeof page].getElementById(place!));
  expect(missing.map(({ place }) => place)).toEqual([]);
});

describe('a page that is only a file in content/pages/', () => {
  const page = readBuiltPage(build, 'house-rules.html');

  test('shows the file’s text, with the title and description of its front matter', () => {
    const { legalName, email } = content.agency;
    expect(page.title).toBe(`House Rules | ${legalName}`);
    expect(page.querySelector('meta[name="description"]')!.getAttribute('content')).toContain(legalName);
    const main = page.querySelector('main')!;
    expect(main.querySelector('h1')!.textContent).toBe('House Rules');
    expect(main.querySelector(`a[href="mailto:${email}"]`)!.textContent).toBe(email);
    expect(main.querySelectorAll('ol > li').length).toBeGreaterThanOrEqual(2);
    // Only the policy has a cookie table.
    expect(main.querySelector('table')).toBeNull();
  });

  test('is linked in the footer of every page, and listed to search engines', () => {
    for (const { file } of listPages(build)) {
      expect(readBuiltPage(build, file).querySelector('footer a[href="/house-rules"]')!.textContent).toBe(
        'House Rules',
      );
    }
    expect(readFileSync(join(build, 'site', '/sitemap.xml')).toString()).toContain('/house-rules</loc>');
  });
});

/**
 * The test photograph is stored sideways, as its EXIF data says; upright, its upper half is white and its lower half
 * black.
 */
describe('the photograph of the founder', () => {
  const picture = readBuiltPage(build, 'index.html').querySelector('picture')!;
  const image = picture.querySelector('img')!;

  test('comes in three formats and at the sizes shown, upright and cropped', async () => {
    const sources = [...picture.querySelectorAll('source')];
    expect(sources.map((source) => source.getAttribute('type'))).toEqual(['image/avif', 'image/webp', 'image/jpeg']);
    for (const source of sources) {
      expect(source.getAttribute('sizes')).toBeTruthy();
      const candidates = source
        .getAttribute('srcset')!
        .split(', ')
        .map((candidate) => candidate.split(' '));
      expect(candidates.map(([, width]) => width)).toEqual(['424w', '636w', '848w']);
      for (const [address, width] of candidates) {
        const file = readFileSync(join(build, 'site', address!));
        const made = await sharp(file).metadata();
        expect(`${made.width}w`).toBe(width);
        expect(made.width / made.height).toBeCloseTo(424 / 508, 2);
        expect(await brightness(file, 0)).toBeGreaterThan(240);
        expect(await brightness(file, made.height - 10)).toBeLessThan(15);
        // The metadata says where and when it was taken.
        expect(made.exif).toBeUndefined();
      }
    }
  });

  test('has its dimensions, loads lazily, and has the alt text of content/', () => {
    expect([image.getAttribute('width'), image.getAttribute('height')]).toEqual(['424', '508']);
    expect(image.getAttribute('loading')).toBe('lazy');
    expect(image.getAttribute('alt')).toBe(content.home.founder.portraitAlt);
    expect(existsSync(join(build, 'site', image.getAttribute('src')!))).toBe(true);
  });

  test('replaces the drawing', () => {
    expect(listFiles(join(build, 'site/assets')).filter((file) => file.endsWith('.svg'))).toEqual([]);
  });
});

/** From 0 to 255, of the ten rows of pixels below `top`. */
async function brightness(file: Buffer | undefined, top: number): Promise<number> {
  const rows = await sharp(file).extract({ left: 0, top, width: 400, height: 10 }).greyscale().toBuffer();
  return (await sharp(rows).stats()).channels[0]!.mean;
}
