import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CDPSession, chromium, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS, findChromium, findHeadlessShell } from '../tools/setup/browsers.ts';
import type { Reading } from './report.ts';

export const BROWSER = { executablePath: findChromium() ?? findHeadlessShell(), args: CHROMIUM_FLAGS };
const LIGHTHOUSE = join(import.meta.dirname, 'node_modules/lighthouse/cli/index.js');

/** The phone that Lighthouse emulates, on slow 4G, with a processor four times slower than this machine's. */
const VIEWPORT = { width: 412, height: 823 };
export const PHONE = { viewport: VIEWPORT, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true, locale: 'en-GB' };
const SLOW_4G = { latency: 150, downloadThroughput: (1638.4 * 1024) / 8, uploadThroughput: (750 * 1024) / 8 };

/** A page counts as idle when nothing has loaded for this many milliseconds: longer than its longest idle timeout. */
const IDLE_MS = 3000;

/**
 * Visits the home page on a slow phone and waits until it is idle. The browser is new, so it has no heap, cache or
 * compiled code from an earlier visit.
 */
export async function measureVisit(url: string): Promise<Reading> {
  await using browser = await chromium.launch(BROWSER);
  const page = await browser.newPage(PHONE);
  const session = await page.context().newCDPSession(page);
  await slowDown(session);
  // Opens the same origin first, so that the whole visit happens in one process of the browser.
  await page.goto(`${url}/favicon.svg`);
  // The thread's CPU time, so that other work on the machine doesn't count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await readBusyTime(session);
  await page.goto(url, { waitUntil: 'load' });
  await waitUntilIdle(page);
  const mainThread = (await readBusyTime(session)) - before;
  return { ...(await page.evaluate(readEntries)), mainThread };
}

/** Emulates the phone's network and processor. */
export async function slowDown(session: CDPSession): Promise<void> {
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_4G });
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}

async function waitUntilIdle(page: Page): Promise<void> {
  const count = () => page.evaluate(() => performance.getEntriesByType('resource').length);
  for (let seen = -1, now = await count(); now !== seen; now = await count()) {
    seen = now;
    await page.waitForTimeout(IDLE_MS);
  }
}

/** Reads the main thread's busy time, in milliseconds. */
async function readBusyTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
}

/** Runs in the page: the bytes loaded so far, without headers, and the time of the first paint. */
function readEntries() {
  const [document] = performance.getEntriesByType('navigation') as [PerformanceNavigationTiming];
  const entries = [document, ...(performance.getEntriesByType('resource') as PerformanceResourceTiming[])];
  const early = entries.filter(({ responseEnd }) => responseEnd <= document.loadEventStart);
  const sumKilobytes = (some: PerformanceResourceTiming[]) =>
    some.reduce((total, { encodedBodySize }) => total + encodedBodySize, 0) / 1000;
  return {
    bytesBeforeLoad: sumKilobytes(early),
    bytesUntilIdle: sumKilobytes(entries),
    scriptUntilIdle: sumKilobytes(entries.filter(({ name }) => name.endsWith('.js'))),
    firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  };
}

/** Runs Lighthouse's mobile audit of a first visit to a page, in a new browser. */
export function runLighthouse(url: string): Reading {
  const report = join(tmpdir(), `lighthouse-${process.pid}.json`);
  const chrome = `--chrome-flags=--headless=new --disable-gpu ${BROWSER.args.join(' ')}`;
  const options = ['--quiet', '--output=json', `--output-path=${report}`, '--only-categories=performance', chrome];
  const env = { ...process.env, CHROME_PATH: BROWSER.executablePath };
  // On a busy machine Lighthouse sometimes gets a trace whose start is missing; such a run has no figures.
  if (spawnSync(process.execPath, [LIGHTHOUSE, url, ...options], { env, stdio: 'inherit' }).status !== 0) return {};
  const { audits } = JSON.parse(readFileSync(report, 'utf8'));
  return {
    fcp: audits['first-contentful-paint'].numericValue,
    lcp: audits['largest-contentful-paint'].numericValue,
    tbt: audits['total-blocking-time'].numericValue,
    cls: audits['cumulative-layout-shift'].numericValue,
  };
}
