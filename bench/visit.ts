import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession, Page } from '@playwright/test';
import { onPhone, slowDown, type StoredState } from './browser.ts';
import type { Reading } from './metrics.ts';

/** Milliseconds without a request that count as idle: longer than anything waits for an idle moment. */
const IDLE_MS = 3000;
/** Milliseconds without a request after which a page that has been read loads nothing more. */
const READ_MS = 1000;
/** Milliseconds after which a request that has not ended counts as hung. */
const TIMEOUT_MS = 60_000;

type Transfer = { finishedAt: number; bytes: number; isScript: boolean };

/** Visits the home page on a slow phone with an empty cache, waits until it is idle, and reads it to the end. */
export function measureVisit(url: string, stored: StoredState): Promise<Reading> {
  return onPhone(stored, async (page) => {
    // The same origin beforehand, so that the whole visit happens in one process of the browser.
    await page.goto(`${url}/favicon.svg`);
    const session = await page.context().newCDPSession(page);
    const network = await watchNetwork(session);
    await slowDown(session);
    // The thread's own time, not the clock's: what else the machine does meanwhile does not count.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const before = await busyTimes(session);

    await page.goto(url, { waitUntil: 'load' });
    await network.quiet(IDLE_MS);
    const after = await busyTimes(session);
    const loadedAt = network.loadedAt();
    const untilIdle = [...network.transfers];
    const beforeLoad = untilIdle.filter(({ finishedAt }) => finishedAt <= loadedAt);

    await readToTheEnd(page);
    await network.quiet(READ_MS);
    return {
      bytesBeforeLoad: kilobytes(beforeLoad),
      requestsBeforeLoad: beforeLoad.length,
      scriptBeforeLoad: kilobytes(beforeLoad.filter(({ isScript }) => isScript)),
      bytesUntilIdle: kilobytes(untilIdle),
      requestsUntilIdle: untilIdle.length,
      scriptUntilIdle: kilobytes(untilIdle.filter(({ isScript }) => isScript)),
      bytesAfterReading: kilobytes(network.transfers),
      requestsAfterReading: network.transfers.length,
      mainThread: after.tasks - before.tasks,
      scriptTime: after.script - before.script,
    };
  });
}

async function watchNetwork(session: CDPSession) {
  const transfers: Transfer[] = [];
  const open = new Map<string, { url: string; isScript: boolean; headerBytes: number }>();
  let changedAt = performance.now();
  let loadedAt = 0;
  session.on('Network.requestWillBeSent', ({ requestId, type, request }) => {
    changedAt = performance.now();
    // The visit begins here: an icon that the page before it still asked for is not the site's.
    if (type === 'Document') {
      open.clear();
      transfers.length = 0;
    }
    open.set(requestId, { url: request.url, isScript: type === 'Script', headerBytes: 0 });
  });
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const request = open.get(requestId);
    if (request) request.headerBytes = response.encodedDataLength;
  });
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    changedAt = performance.now();
    const request = open.get(requestId);
    if (request === undefined) return;
    open.delete(requestId);
    // The content alone: headers are the same few hundred bytes for the baseline and for every build.
    const bytes = Math.max(0, encodedDataLength - request.headerBytes);
    transfers.push({ finishedAt: timestamp, bytes, isScript: request.isScript });
  });
  session.on('Network.loadingFailed', ({ requestId }) => open.delete(requestId));
  session.on('Page.loadEventFired', ({ timestamp }) => {
    loadedAt = timestamp;
  });
  await session.send('Page.enable');
  return {
    transfers,
    loadedAt: () => loadedAt,
    quiet: async (milliseconds: number) => {
      const since = performance.now();
      changedAt = since;
      while (open.size > 0 || performance.now() - changedAt < milliseconds) {
        const urls = [...open.values()].map(({ url }) => url);
        if (performance.now() - since > TIMEOUT_MS) throw new Error(`Never quiet; open: ${urls.join(', ')}`);
        await pause(100);
      }
    },
  };
}

async function busyTimes(session: CDPSession): Promise<{ tasks: number; script: number }> {
  const { metrics } = await session.send('Performance.getMetrics');
  const milliseconds = (name: string) => 1000 * (metrics.find((metric) => metric.name === name)?.value ?? 0);
  return { tasks: milliseconds('TaskDuration'), script: milliseconds('ScriptDuration') };
}

/** In steps of most of a screen, each long enough for what is near to begin to load. */
async function readToTheEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const step = window.innerHeight * 0.8;
    for (let y = 0; y < document.documentElement.scrollHeight; y += step) {
      window.scrollTo({ top: y, behavior: 'instant' });
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  });
}

function kilobytes(transfers: Transfer[]): number {
  return transfers.reduce((total, { bytes }) => total + bytes, 0) / 1000;
}
