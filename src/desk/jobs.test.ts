import { setImmediate } from 'node:timers/promises';
import { Hono } from 'hono';
import { beforeEach, expect, test } from 'vitest';
import { parseEnvironment } from '#settings/environment.ts';
import { addJobs } from './job-page.tsx';
import { type Job, runJob } from './jobs.ts';

const IMPORT = { kind: 'import', title: 'Adding people' };
const TO = { to: '/desk/people' };

let desk: ReturnType<typeof openDesk>;
beforeEach(() => {
  desk = openDesk();
});

function openDesk() {
  const lines: string[] = [];
  const place = {
    jobs: new Map<string, Job>(),
    env: parseEnvironment({}),
    log: (line: string) => void lines.push(line),
  };
  const app = new Hono();
  app.use(async (context, next) => {
    context.setRenderer((body, { title }) => context.html(`${title} ${JSON.stringify(body)}`));
    await next();
  });
  addJobs(app, place);
  return { ...place, lines, read: async (path: string) => (await app.request(path)).text() };
}

/** Starts a job that ends when it is told to. */
async function startLongJob() {
  const { promise, resolve, reject } = Promise.withResolvers<{ to: string; notice?: string }>();
  let report = (_done: number, _total: number) => undefined as void;
  const begun = runJob(desk, IMPORT, (onProgress) => {
    report = onProgress;
    return promise;
  });
  return { page: (await begun).to, report: (done: number, total: number) => report(done, total), resolve, reject };
}

test('shows the result of a job that ends at once, or the error of one that fails at once', async () => {
  expect(await runJob(desk, IMPORT, async () => TO)).toEqual(TO);
  await expect(runJob(desk, IMPORT, () => Promise.reject(new Error('The disk is full.')))).rejects.toThrow(/^The disk/);
  expect(desk.jobs.size).toBe(0);
});

test('shows the progress of a longer job, even after a reload, then its result', async () => {
  const { page, report, resolve } = await startLongJob();
  expect(await desk.read(page)).toContain('Adding people');
  report(500, 2000);
  for (const _ of [1, 2]) expect(await desk.read(page)).toContain('500');
  const second = runJob(desk, IMPORT, () => Promise.reject(new Error('never started')));
  expect(await second, 'a second import shows the page of the running one').toEqual({ to: page });
  resolve({ ...TO, notice: '2,000 people added.' });
  await setImmediate();
  expect(await desk.read(page)).toContain('2,000 people added.');
});

test('logs the type and place of a bug, and shows the owner a general message', async () => {
  const { page, reject } = await startLongJob();
  try {
    (undefined as unknown as URL).href.trim();
  } catch (error) {
    reject(error);
  }
  await setImmediate();
  const shown = await desk.read(page);
  expect(shown).toContain('Something went wrong inside the site');
  expect(shown).not.toContain('undefined');
  expect(desk.lines).toEqual([expect.stringMatching(/^Desk: TypeError at src\/desk\/jobs\.test\.ts:\d+\.$/)]);
});

test('says what to do about a job from before a restart', async () => {
  expect(await desk.read('/desk/jobs/of-before')).toContain('The server has restarted since this began');
});
