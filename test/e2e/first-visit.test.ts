import { findBanner, chooseEssential } from './cookie-banner.ts';
import { expectHydrated } from './sign-up-form.ts';
import { expect, test } from './site.ts';
import { skipIfMissing } from './skip-if-missing.ts';

type File = PerformanceResourceTiming & { renderBlockingStatus: string };

// With motion on, since animations mustn't shift or load anything either.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('a first visit logs nothing to the console, stores nothing, and requests no other host', async ({
  page,
  context,
  site,
}) => {
  const console: string[] = [];
  const elsewhere: string[] = [];
  page.on('console', (message) => console.push(message.text()));
  page.on('pageerror', (error) => console.push(error.message));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== site.url) elsewhere.push(request.url());
  });
  for (const path of ['/', '/privacy-policy']) {
    await page.goto(path, { waitUntil: 'networkidle' });
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
    await page.waitForLoadState('networkidle');
  }
  expect(console).toEqual([]);
  expect(elsewhere).toEqual([]);
  expect(await context.cookies()).toEqual([]);
  expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
});

test('a first visit loads 21.2 kB besides fonts and pictures: one script of at most 2.8 kB, and styles that don’t block rendering', async ({
  page,
}) => {
  await page.addInitScript(() => {
    Object.assign(window, { shifted: 0 });
    new PerformanceObserver((list) => {
      const shifts = list.getEntries() as (PerformanceEntry & { value: number })[];
      for (const { value } of shifts) (window as never as { shifted: number }).shifted += value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  await expect(findBanner(page)).toBeVisible();
  const files = await page.evaluate(() =>
    ([...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')] as File[])
      // A file from the browser's own cache is transferred once.
      .filter(({ transferSize }) => transferSize > 0)
      .map(({ name, encodedBodySize, renderBlockingStatus }) => ({
        kind: /\.(\w+)$/.exec(new URL(name).pathname)?.[1] ?? 'document',
        bytes: encodedBodySize,
        blocks: renderBlockingStatus === 'blocking',
      }))
      // The owner's pictures may have any size; `npm run size` checks the total.
      .filter(({ kind }) => !/^(avif|webp|jpe?g|png|svg)$/.test(kind)),
  );
  const ours = files.filter(({ kind }) => kind !== 'woff2');
  expect(files.map(({ kind }) => kind).toSorted()).toEqual(['css', 'document', 'js', 'woff2', 'woff2']);
  expect(files.filter(({ blocks }) => blocks)).toEqual([]);
  expect(files.find(({ kind }) => kind === 'js')!.bytes).toBeLessThanOrEqual(2800);
  expect(ours.reduce((total, { bytes }) => total + bytes, 0)).toBeLessThanOrEqual(21_200);
  expect(await page.evaluate(() => (window as never as { shifted: number }).shifted)).toBeLessThan(0.01);
});

test('the banner appears once the first animations have ended', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.addInitScript(() => {
    const isOfPage = ({ timeline, effect }: Animation) =>
      timeline === document.timeline && !(effect as KeyframeEffect).target?.closest('#ask-first');
    const moving = () => document.getAnimations().filter(isOfPage).length;
    const seen = { started: 0, withBanner: Number.NaN };
    Object.assign(window, { seen });
    document.addEventListener('animationstart', ({ target }) => {
      if (!(target as Element).closest('#ask-first')) seen.started += 1;
    });
    document.addEventListener('DOMContentLoaded', () => {
      const observer = new MutationObserver(() => {
        seen.withBanner = moving();
        observer.disconnect();
      });
      observer.observe(document.querySelector('#ask-first > section')!, { attributes: true });
    });
  });
  await page.goto('/');
  await expect(findBanner(page)).toBeVisible();
  const seen = await page.evaluate(() => (window as never as { seen: { started: number; withBanner: number } }).seen);
  expect(seen.withBanner).toBe(0);
  expect(seen.started).toBeGreaterThan(0);
});

test('React is not requested until a form is used, and then in four files at most', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  await findBanner(page).getByRole('button', { name: 'Show details' }).click();
  await findBanner(page).getByRole('heading', { name: 'Statistics' }).click();
  await findBanner(page).getByRole('switch', { name: 'Statistics' }).click();
  await findBanner(page).getByRole('button', { name: 'Allow Selection' }).click();
  const form = page.getByRole('form').first();
  await form.scrollIntoViewIfNeeded();
  await form.hover({ position: { x: 5, y: 5 } });
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  await page.waitForLoadState('networkidle');
  expect(scripts).toEqual([expect.stringContaining('/loader-')]);

  await page.reload({ waitUntil: 'networkidle' });
  expect(scripts).toEqual(Array(2).fill(expect.stringContaining('/loader-')));

  const files = () =>
    page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => /\.(js|css)$/.test(name)).length);
  const atFirst = await files();
  await form.getByLabel('Email').focus();
  await expectHydrated(page);
  expect(scripts).toContainEqual(expect.stringContaining('/react-'));
  await page.waitForLoadState('networkidle');
  const further = (await files()) - atFirst;
  expect(further).toBeGreaterThan(0);
  expect(further).toBeLessThanOrEqual(4);
});

const NO_FONTS = 'system fonts (such as Arial)';

/** Whether this machine has any of the fonts that the fallback fonts are made from. */
async function hasFallbackFonts(): Promise<boolean> {
  const fallbacks = [...document.fonts].filter(({ family }) => family.includes('Fallback'));
  const loaded = await Promise.allSettled(fallbacks.map((font) => font.load()));
  return loaded.some(({ status }) => status === 'fulfilled');
}

test('the first screen keeps its layout when the fonts arrive', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.addInitScript(chooseEssential);
  const parts = page.locator('header, h1, main section:first-of-type p, main section:first-of-type + section');
  const measureTops = async () => {
    await page.goto('/');
    const tops: number[][] = [];
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      await page.evaluate(() => document.fonts.ready);
      tops.push(await parts.evaluateAll((all) => all.map((part) => Math.round(part.getBoundingClientRect().top))));
    }
    return tops;
  };
  const withFonts = await measureTops();
  const hasFonts = await page.evaluate(hasFallbackFonts);
  skipIfMissing(!hasFonts, NO_FONTS, import.meta.filename);
  await page.route('**/*.woff2', (route) => route.abort());
  await page.goto('about:blank');
  expect(await measureTops()).toEqual(withFonts);
});
