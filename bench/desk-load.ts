/**
 * `npm run bench:desk` measures how the owner's work affects visitors. While one thread requests the home page 100
 * times a second, the benchmark imports 200,000 people (or PEOPLE) on the desk, exports them, edits a draft and
 * publishes it. Run it on a quiet machine. The whole run may take five minutes; a step that is unfinished by then
 * fails.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { signInToDesk } from '../test/sign-in.ts';
import { formatMarkdownTable } from './report.ts';
import { BUILD, makeDataFolder, startServer } from './server.ts';
import type { Sample, SteadyLoad } from './steady-load.ts';

const PEOPLE = Number(process.env.PEOPLE ?? 200_000);
const PER_SECOND = 100;
const UNTIL = Date.now() + 300_000;

await using folder = await makeDataFolder();
await using server = await startServer(BUILD, { DATA_DIR: folder.path });
const { url, pid } = server;
const headers = await signInToDesk({ url, dataDir: folder.path });
const load = new Worker(new URL('steady-load.ts', import.meta.url), {
  workerData: { url, perSecond: PER_SECOND } satisfies SteadyLoad,
});
const HEADS = ['what', 'seconds', 'requests', 'failed', 'median ms', '99 %', 'slowest', 'over 100 ms', 'peak MB'];
console.log(formatMarkdownTable([HEADS]));

await measure('nothing', () => pause(5000));
await measure(`import of ${PEOPLE} people`, importPeople);
await measure('list and export', async () => {
  await read('/desk/people');
  await read('/desk/people/export/everybody.csv');
});
await measure('draft edits', async () => {
  for (let word = 0; word < 20; word += 1) {
    const body = new URLSearchParams({ draft: '{}', 'home.hero.headline': `Word ${word}` });
    await send('/desk/website-draft/first-screen', body);
    await read('/desk/website/preview/light');
  }
});
await measure('publish', async () => {
  await send('/desk/website/publish', new URLSearchParams({ action: 'publish' }));
  await waitFor('/desk/website', 'Your changes have been live since');
});
await measure('nothing', () => pause(5000));
await load.terminate();

async function importPeople(): Promise<void> {
  const lines = Array.from({ length: PEOPLE }, (_, at) => `person${at}@example.org,Founder`);
  const body = new FormData();
  body.set('file', new Blob([['email,role', ...lines].join('\n')]), 'list.csv');
  let page = await send('/desk/people/import', body);
  page = await followJob(page);
  const evidence = { wording: 'Yes, write to me.', source: 'Trade fair', date: '2026-03-01' };
  page = await followJob(await send(page, new URLSearchParams(evidence)));
  await followJob(await send(page, new URLSearchParams({ ...evidence, really: 'yes' })));
}

/** @returns the page that a job leads to when it is done */
async function followJob(page: string): Promise<string> {
  if (!page.startsWith('/desk/jobs/')) return page;
  const done = await waitFor(page, '>Continue<');
  return /class="button filled" href="([^"]+)"/.exec(done)![1]!;
}

async function waitFor(page: string, sentence: string): Promise<string> {
  for (;;) {
    const text = await read(page);
    if (text.includes(sentence)) return text;
    const words = text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
    if (/That didn’t work|Nothing was published/.test(words)) throw new Error(words);
    if (Date.now() > UNTIL) throw new Error(`${page} isn’t done after five minutes: ${words.slice(-200)}`);
    await pause(500);
  }
}

async function read(path: string): Promise<string> {
  const response = await fetch(url + path, { headers });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.text();
}

/** @returns the path that the response redirects to */
async function send(path: string, body: FormData | URLSearchParams): Promise<string> {
  const response = await fetch(url + path, { method: 'POST', headers, body, redirect: 'manual' });
  if (response.status >= 400) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (response.headers.get('Location') ?? '').replace(url, '');
}

/** Does some of the owner's work, and prints a row about how it affected visitors, even if the work fails. */
async function measure(what: string, work: () => Promise<unknown>): Promise<void> {
  await takeSamples();
  let peak = 0;
  const watching = setInterval(() => {
    peak = Math.max(peak, readMemory());
  }, 100);
  const begun = Date.now();
  const failure = await work().then(
    () => undefined,
    (error: unknown) => error,
  );
  const seconds = (Date.now() - begun) / 1000;
  clearInterval(watching);
  const samples = await takeSamples();
  const times = samples.map(({ took }) => took).toSorted((one, other) => one - other);
  const failed = samples.filter(({ status }) => status !== 200).length;
  const late = times.filter((took) => took > 100).length;
  const cells = [samples.length, failed, findQuantile(times, 0.5), findQuantile(times, 0.99), times.at(-1) ?? 0];
  const share = `${((100 * late) / times.length).toFixed(1)} %`;
  const row = [what, seconds.toFixed(1), ...cells.map(String), share, peak.toFixed(0)];
  console.log(`| ${row.join(' | ')} |`);
  if (failure === undefined) return;
  console.error(`${what} failed:`, failure);
  process.exitCode = 1;
}

async function takeSamples(): Promise<Sample[]> {
  load.postMessage('');
  const [samples] = (await once(load, 'message')) as [Sample[]];
  return samples;
}

function findQuantile(sorted: number[], quantile: number): number {
  return sorted[Math.floor(quantile * (sorted.length - 1))] ?? 0;
}

/** @returns the server's memory in MB; 0 if the system doesn't report it */
function readMemory(): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1000;
  } catch {
    return 0;
  }
}
