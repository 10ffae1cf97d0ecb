import type { CDPSession, Page } from '@playwright/test';
import { onPhone, type StoredState } from './browser.ts';
import type { Reading } from './metrics.ts';

/** Milliseconds in which nothing more arrives: longer than anything on the page waits for an idle moment. */
const IDLE_MS = 3000;

/** Visits the home page on a slow phone with an empty cache and waits until it is idle. */
export function measureVisit(url: string, stored: StoredState): Promise<Reading> {
  return onPhone(stored, async (page, session) => {
    // The same origin beforehand, so that the whole visit happens in one process of the browser.
    await page.goto(`${url}/favicon.svg`);
    // The thread's own time, not the clock's: what else the machine does meanwhile does not count.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const before = await busyTimes(session);
    await page.goto(url, { waitUntil: 'load' });
    await untilQuiet(page);
    const after = await busyTimes(session);
    return {
      ...(await page.evaluate(readEntries)),
      mainThread: after.tasks - before.tasks,
      scriptTime: after.script - before.script,
    };
  });
}

async function untilQuiet(page: Page): Promise<void> {
  const count = () => page.evaluate(() => performance.getEntriesByType('resource').length);
  for (let seen = -1, now = await count(); now !== seen; now = await count()) {
    seen = now;
    await page.waitForTimeout(IDLE_MS);
  }
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

async function busyTimes(session: CDPSession): Promise<{ tasks: number; script: number }> {
  const { metrics } = await session.send('Performance.getMetrics');
  const milliseconds = (name: string) => 1000 * (metrics.find((metric) => metric.name === name)?.value ?? 0);
  return { tasks: milliseconds('TaskDuration'), script: milliseconds('ScriptDuration') };
}
