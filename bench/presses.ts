/**
 * The last part of `npm run bench`: a visit on a slow phone with six presses. For each it measures the duration that
 * the browser reports and the main-thread work, and compares both with the same page without motion.
 */
import { type Browser, type CDPSession, chromium, type Locator, type Page } from '@playwright/test';
import { computeMedian, formatMarkdownTable } from './report.ts';
import { BROWSER, PHONE, slowDown } from './visit.ts';

/** How long to wait for the effects of a press, in milliseconds. */
const REST_MS = 1500;

/** The kinds of main-thread work, by their task names in a trace. */
const WORK = {
  script: ['FunctionCall', 'EvaluateScript', 'v8.compile', 'RunMicrotasks'],
  style: ['UpdateLayoutTree'],
  layout: ['Layout'],
  paint: ['PrePaint', 'Paint', 'Layerize'],
} as const;

type Press = Record<'duration' | keyof typeof WORK, number>;

/** In milliseconds, by the name of the press. */
type Visit = Record<string, Press>;

const FOOTER_FORM = 'form[aria-labelledby^="footer"]';

const PRESSES: Record<string, (page: Page) => Locator> = {
  'Deny Non-Essential': (page) => page.locator('#cookie-banner [data-choice="essential"]').last(),
  'A question': (page) => page.locator('#faq summary').last(),
  'The field': (page) => page.locator(`${FOOTER_FORM} input[type="email"]`),
  'Join without consent': (page) => page.locator(`${FOOTER_FORM} button`),
  Consent: (page) => page.locator(`${FOOTER_FORM} input[type="checkbox"]`),
  Join: (page) => page.locator(`${FOOTER_FORM} button`),
};

/** @returns the report's table of medians */
export async function comparePresses(url: string, visits: number): Promise<string> {
  await using browser = await chromium.launch(BROWSER);
  const taken = { still: [] as Visit[], moving: [] as Visit[] };
  for (let number = 0; number < visits; number += 1) {
    process.stderr.write(`Visit with presses ${number + 1} of ${visits}\n`);
    taken.still.push(await visitWithPresses(browser, url, `still-${number}`, true));
    taken.moving.push(await visitWithPresses(browser, url, `moving-${number}`, false));
  }
  const median = (list: Visit[], name: string, part: keyof Press) =>
    computeMedian(list.map((visit) => visit[name]![part])) ?? Number.NaN;
  const rows = Object.keys(PRESSES).map((name) => {
    const [still, moving] = [median(taken.still, name, 'duration'), median(taken.moving, name, 'duration')];
    const parts = (Object.keys(WORK) as (keyof typeof WORK)[]).map(
      (part) => `${median(taken.moving, name, part).toFixed(0)} / ${median(taken.still, name, part).toFixed(0)}`,
    );
    const isLight = moving <= 1.15 * still && moving < 100;
    return [name, `${moving} / ${still} ×${(moving / still).toFixed(2)} ${isLight ? '✓' : '✗'}`, ...parts];
  });
  return formatMarkdownTable([['Press, ms with motion / without', 'duration', ...Object.keys(WORK)], ...rows]);
}

async function visitWithPresses(browser: Browser, url: string, visitor: string, isStill: boolean): Promise<Visit> {
  const context = await browser.newContext({ ...PHONE, bypassCSP: true });
  const page = await context.newPage();
  await page.addInitScript(observePresses, isStill);
  const session = await context.newCDPSession(page);
  await slowDown(session);
  await page.goto(url, { waitUntil: 'load' });
  const visit: Visit = {};
  for (const [name, find] of Object.entries(PRESSES)) {
    const control = find(page);
    await control.waitFor();
    // Scrolls to the end first, so that the whole page is rendered.
    if (name === 'A question') await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await control.scrollIntoViewIfNeeded();
    await page.waitForTimeout(REST_MS);
    visit[name] = await measurePress(page, session, control);
    if (name === 'The field') await page.keyboard.type(`${visitor}@example.org`);
  }
  await context.close();
  return visit;
}

/** Runs in the page before its own scripts. */
function observePresses(isStill: boolean): void {
  const presses: number[] = [];
  Object.assign(window, { presses });
  new PerformanceObserver((list) => {
    // The other entries come from the pointer's new position after the page has changed.
    for (const entry of list.getEntries() as PerformanceEventTiming[]) {
      if (entry.interactionId) presses.push(entry.duration);
    }
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  if (!isStill) return;
  addEventListener('DOMContentLoaded', () => {
    const style = document.createElement('style');
    style.textContent =
      '*, ::before, ::after, ::details-content { animation: none !important; transition: none !important; }';
    document.head.append(style);
  });
}

/** `tdur` is the thread's CPU time in microseconds, so other work on the machine doesn't count. */
type TraceEvent = { name: string; ph: string; tdur?: number };

async function measurePress(page: Page, session: CDPSession, control: Locator): Promise<Press> {
  await page.evaluate(() => ((window as never as { presses: number[] }).presses.length = 0));
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: object[] }) => void events.push(...(value as TraceEvent[]));
  session.on('Tracing.dataCollected', collect);
  await session.send('Tracing.start', {
    traceConfig: { includedCategories: ['devtools.timeline', 'v8'] },
    transferMode: 'ReportEvents',
  });
  const { x, y, width, height } = (await control.boundingBox())!;
  // Not `locator.tap()`: it adds listeners to the page, which would be measured too.
  await page.touchscreen.tap(x + width / 2, y + height / 2);
  await page.waitForTimeout(REST_MS);
  const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await ended;
  session.off('Tracing.dataCollected', collect);
  const sum = (names: readonly string[]) =>
    events
      .filter(({ name, ph }) => ph === 'X' && names.includes(name))
      .reduce((all, { tdur = 0 }) => all + tdur / 1000, 0);
  const presses = await page.evaluate(() => (window as never as { presses: number[] }).presses);
  return {
    duration: Math.max(16, ...presses),
    script: sum(WORK.script),
    style: sum(WORK.style),
    layout: sum(WORK.layout),
    paint: sum(WORK.paint),
  };
}
