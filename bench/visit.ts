import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS, findOrInstallChromium } from '../tools/setup/browsers.ts';
import type { Reading } from './report.ts';

/** The keys that an earlier visit left in the browser's storage; undefined on a first visit. */
export type StoredState = Awaited<ReturnType<BrowserContext['storageState']>> | undefined;

const BROWSER = { executablePath: findOrInstallChromium(), args: CHROMIUM_FLAGS };
const LIGHTHOUSE = join(import.meta.dirname, 'node_modules/lighthouse/cli/index.js');

/** The phone that Lighthouse emulates, on its slow 4G; its processor is four times slower than this machine's. */
const VIEWPORT = { width: 412, height: 823 };
const PHONE = { viewport: VIEWPORT, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true, locale: 'en-GB' };
const SLOW_4G = { latency: 150, downloadThroughput: (1638.4 * 1024) / 8, uploadThroughput: (750 * 1024) / 8 };

/** Milliseconds in which nothing more arrives: longer than anything on the page waits for an idle moment. */
const IDLE_MS = 3000;

/** A page on a slow phone, in a browser of its own: it finds no heap, cache or compiled code of another. */
export async function onPhone<Value>(
  storageState: StoredState,
  use: (page: Page, session: CDPSession) => Promise<Value>,
): Promise<Value> {
  await using browser = await chromium.launch(BROWSER);
  const context = await browser.newContext({ ...PHONE, ...(storageState && { storageState }) });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_4G });
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  return await use(page, session);
}

/** Visits the home page with an empty cache and waits until it is idle. */
export function measureVisit(url: string, stored: StoredState): Promise<Reading> {
  return onPhone(stored, async (page, session) => {
    // The same origin beforehand, so that the whole visit happens in one process of the browser.
    await page.goto(`${url}/favicon.svg`);
    // The thread's own time, not the clock's: other work of the machine does not count.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const before = await busyTimes(session);
    await page.goto(url, { waitUntil: 'load' });
    const count = () => page.evaluate(() => performance.getEntriesByType('resource').length);
    for (let seen = -1, now = await count(); now !== seen; now = await count()) {
      seen = now;
      await page.waitForTimeout(IDLE_MS);
    }
    const after = await busyTimes(session);
    const busy = { mainThread: after.tasks - before.tasks, scriptTime: after.script - before.script };
    return { ...(await page.evaluate(readEntries)), ...busy };
  });
}

async function busyTimes(session: CDPSession): Promise<{ tasks: number; script: number }> {
  const { metrics } = await session.send('Performance.getMetrics');
  const milliseconds = (name: string) => 1000 * (metrics.find((metric) => metric.name === name)?.value ?? 0);
  return { tasks: milliseconds('TaskDuration'), script: milliseconds('ScriptDuration') };
}

/** Runs in the page: what came by now, headers aside, the first paint as it was seen, and tasks that anyone notices. */
async function readEntries() {
  const [document] = performance.getEntriesByType('navigation') as [PerformanceNavigationTiming];
  const entries = [document, ...(performance.getEntriesByType('resource') as PerformanceResourceTiming[])];
  const early = entries.filter(({ responseEnd }) => responseEnd <= document.loadEventStart);
  const kilobytes = (some: PerformanceResourceTiming[]) =>
    some.reduce((total, { encodedBodySize }) => total + encodedBodySize, 0) / 1000;
  const longTasks = await new Promise<PerformanceEntryList>((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type: 'longtask', buffered: true });
    setTimeout(() => resolve([]), 500);
  });
  return {
    bytesBeforeLoad: kilobytes(early),
    requestsBeforeLoad: early.length,
    bytesUntilIdle: kilobytes(entries),
    requestsUntilIdle: entries.length,
    scriptUntilIdle: kilobytes(entries.filter(({ name }) => name.endsWith('.js'))),
    firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    longTaskExcess: longTasks.reduce((total, { duration }) => total + duration - 50, 0),
  };
}

/** Lighthouse's own mobile run of a first visit to a page, in a browser of its own. */
export function runLighthouse(url: string): Reading {
  const report = join(tmpdir(), `lighthouse-${process.pid}.json`);
  const chrome = `--chrome-flags=--headless=new --disable-gpu ${BROWSER.args.join(' ')}`;
  const options = ['--quiet', '--output=json', `--output-path=${report}`, '--only-categories=performance', chrome];
  const env = { ...process.env, CHROME_PATH: BROWSER.executablePath };
  // Now and then a busy machine gives Lighthouse a trace without its beginning: that run has no figures.
  if (spawnSync(process.execPath, [LIGHTHOUSE, url, ...options], { env, stdio: 'inherit' }).status !== 0) return {};
  const { audits } = JSON.parse(readFileSync(report, 'utf8'));
  return {
    fcp: audits['first-contentful-paint'].numericValue,
    lcp: audits['largest-contentful-paint'].numericValue,
    tbt: audits['total-blocking-time'].numericValue,
    cls: audits['cumulative-layout-shift'].numericValue,
    speedIndex: audits['speed-index'].numericValue,
  };
}
