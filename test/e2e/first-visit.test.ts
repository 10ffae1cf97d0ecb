import { expect, test } from './site.ts';

test('a first visit says nothing in the console, keeps nothing, and asks no other host', async ({ page, context, site }) => {
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

test('a first visit downloads at most 130 kB until the browser is idle, two fonts and no font shift', async ({ page }) => {
  await page.addInitScript(() => {
    Object.assign(window, { shifted: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) Object.assign(window, { shifted: (entry as never as { value: number }).value });
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  const { bytes, fonts } = await page.evaluate(() => {
    const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    return {
      bytes: (entries as PerformanceResourceTiming[]).reduce((total, { transferSize }) => total + transferSize, 0),
      fonts: entries.filter(({ name }) => name.endsWith('.woff2')).length,
    };
  });
  expect(fonts).toBe(2);
  expect(bytes).toBeGreaterThan(40_000);
  expect(bytes).toBeLessThanOrEqual(130_000);
  expect(await page.evaluate(() => (window as never as { shifted: number }).shifted)).toBeLessThan(0.01);
});

test('what has not changed is not sent again', async ({ request }) => {
  const first = await request.get('/');
  const again = await request.get('/', { headers: { 'If-None-Match': first.headers().etag! } });
  expect(again.status()).toBe(304);
  const script = /\/assets\/wake-[\w-]+\.js/.exec(await first.text())![0];
  expect((await request.get(script)).headers()['cache-control']).toContain('immutable');
});
