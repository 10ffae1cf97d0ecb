import { chooseEssential } from './cookie-banner.ts';
import { expect, test } from './site.ts';

test('a first visit says nothing in the console, keeps nothing, and asks no other host', async ({
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

test('a first visit downloads at most 130 kB until the browser is idle, two fonts and no font shift', async ({
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

test('until it has loaded and is painted a first visit has the page, two fonts and one script of at most 2 kB', async ({
  page,
}) => {
  await page.goto('/', { waitUntil: 'networkidle' });
  await expect(page.getByRole('button', { name: 'Allow All' })).toBeVisible();
  const { early, late } = await page.evaluate(() => {
    const [{ loadEventStart }] = performance.getEntriesByType('navigation') as [PerformanceNavigationTiming];
    const [painted] = performance.getEntriesByName('first-contentful-paint') as [PerformanceEntry];
    const ready = Math.max(loadEventStart, painted.startTime);
    const files = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(({ name }) =>
      /\.(js|css|woff2)$/.test(name),
    );
    const before = files.filter(({ startTime }) => startTime < ready);
    return {
      early: before.map(({ name, encodedBodySize }) => ({ kind: name.split('.').at(-1), bytes: encodedBodySize })),
      late: files.length - before.length,
    };
  });
  // The stylesheet is the one for print.
  expect(early.map(({ kind }) => kind).toSorted()).toEqual(['css', 'js', 'woff2', 'woff2']);
  expect(early.find(({ kind }) => kind === 'js')!.bytes).toBeLessThanOrEqual(2000);
  expect(late).toBeLessThanOrEqual(6);
});

test('a visitor who has chosen before loads no other script until a form is near, and then at most five files', async ({
  page,
}) => {
  await page.addInitScript(chooseEssential);
  const scripts = () =>
    page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => /\.js$/.test(name)).length);
  await page.goto('/', { waitUntil: 'networkidle' });
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  expect(await scripts()).toBe(1);
  await page.getByRole('form').first().scrollIntoViewIfNeeded();
  await expect(page.locator('[data-hydrated]').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(await scripts()).toBeLessThanOrEqual(5);
});

test('what has not changed is not sent again', async ({ request }) => {
  const first = await request.get('/');
  const again = await request.get('/', { headers: { 'If-None-Match': first.headers().etag! } });
  expect(again.status()).toBe(304);
  for (const tags of [`"other", W/${first.headers().etag}`, '*']) {
    expect((await request.get('/', { headers: { 'If-None-Match': tags } })).status()).toBe(304);
  }
  expect((await request.get('/', { headers: { 'If-None-Match': '"other"' } })).status()).toBe(200);
  const script = /\/assets\/loader-[\w-]+\.js/.exec(await first.text())![0];
  expect((await request.get(script)).headers()['cache-control']).toContain('immutable');
});

test('a part of a file can be asked for, and a HEAD tells what a GET would', async ({ request }) => {
  const font = /\/assets\/[\w-]+\.woff2/.exec(await (await request.get('/')).text())![0];
  const whole = await request.get(font);
  const part = await request.get(font, { headers: { Range: 'bytes=4-7' } });
  expect(part.status()).toBe(206);
  expect(await part.body()).toEqual((await whole.body()).subarray(4, 8));
  expect((await request.get(font, { headers: { Range: 'bytes=99999999-' } })).status()).toBe(416);
  const changed = await request.get(font, { headers: { Range: 'bytes=4-7', 'If-Range': '"other"' } });
  expect(changed.status()).toBe(200);

  const head = await request.head('/');
  const get = await request.get('/');
  const told = ['content-type', 'content-length', 'etag', 'content-security-policy', 'vary', 'cache-control'];
  for (const name of told) expect(head.headers()[name]).toBe(get.headers()[name]);
});
