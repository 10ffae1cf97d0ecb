import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { NEWSLETTER_PATH } from '#shared/newsletter.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listFiles } from '#content/list-files.ts';
import { TEST_SITE } from '../built-sites.ts';
import { makeFolder } from '../make-folder.ts';
import { startSmtp } from '../newsletter/smtp-server.ts';
import { type RunningDesk, startDesk } from '../running-desk.ts';
import { type RunningSite, startSite } from '../running-site.ts';
import { startServer } from '../server-process.ts';
import { TEST_CONTENT } from '../test-content.ts';

const WAIT = { timeout: 60_000, interval: 50 };

/** A site under load, whose visitors sign up, beside a desk. */
type Place = { site: RunningSite; content: string; settings: Record<string, string> };

test('visitors are answered and mails sent as ever while words go live, and going back leaves the files as they were', async () => {
  const smtp = await startSmtp();
  const { site, content, settings } = await openPlace({ SMTP_URL: smtp.url, MAIL_HOURLY_CAP: '1000000' });
  const desk = await openDesk(settings);
  const load = startLoad(site);
  await desk.write('first-screen', 'home.hero.headline', 'New words');
  await desk.write('welcome', 'mail.welcome.subject', 'New subject');
  await desk.publish();
  expect(await readHome(site)).toContain('New words');
  expect(await desk.read('/website')).toContain('Everything you wrote is live');
  await vi.waitFor(() => expect(smtp.taken.map(({ subject }) => subject)).toContain('New subject'), WAIT);
  await desk.goBack();
  expect(await readHome(site)).not.toContain('New words');
  const { statuses, people } = await load.stop();
  expect([...statuses]).toEqual([200]);
  expect(readAll(content)).toEqual(readAll(TEST_CONTENT));
  await vi.waitFor(() => expect(smtp.taken.length).toBe(people), WAIT);
  expect(new Set(smtp.taken.map(({ to }) => to)).size, 'nobody got two').toBe(people);
});

test('a desk that is killed while it checks or makes the site has published nothing, and says so', async () => {
  const { site, content, settings } = await openPlace();
  const before = readAll(content);
  let desk = await openDesk(settings);
  await desk.write('first-screen', 'home.hero.headline', 'Words of a desk that was killed');
  for (const state of ['checking', 'making']) {
    await desk.begin();
    await vi.waitFor(() => expect(desk.state()).toBe(state), { ...WAIT, interval: 5 });
    await desk.kill();
    desk = await openDesk(settings);
    const overview = await desk.read('/website');
    expect(overview).toContain('Nothing was published');
    expect(overview).toContain('One change is not live yet');
    expect(readAll(content)).toEqual(before);
    expect(await readHome(site)).not.toContain('killed');
  }
  await desk.publish();
  expect(await readHome(site)).toContain('Words of a desk that was killed');
});

test('a second desk waits while one publishes, and a server that starts again shows what was published', async () => {
  const { site, settings } = await openPlace();
  const [desk, other] = [await openDesk(settings), await openDesk(settings)];
  await desk.write('first-screen', 'home.hero.headline', 'Words of two desks');
  await desk.begin();
  const answer = await other.begin();
  expect(await other.read(answer.headers.get('Location')!)).toContain('is being published already');
  await desk.wait();
  expect(await readHome(site)).toContain('Words of two desks');
  process.kill(site.pid, 'SIGKILL');
  const next = await startServer(TEST_SITE, { CONTENT_DIR: settings.CONTENT_DIR!, DATA_DIR: site.dataDir });
  onTestFinished(next.kill);
  expect(await readHome(next)).toContain('Words of two desks');
});

async function openPlace(more: Record<string, string> = {}): Promise<Place> {
  const content = join(makeFolder(), 'content');
  cpSync(TEST_CONTENT, content, { recursive: true });
  const site = await startSite({ env: { CONTENT_DIR: content, ...more } });
  onTestFinished(site.stop);
  return { site, content, settings: { CONTENT_DIR: content, DATA_DIR: site.dataDir, SITE_URL: site.url } };
}

async function openDesk(settings: Record<string, string>) {
  const desk: RunningDesk = await startDesk(settings);
  onTestFinished(desk.kill);
  const entered = await fetch(desk.address, { redirect: 'manual' });
  const headers = { Cookie: entered.headers.get('set-cookie')!.split(';', 1)[0]!, Origin: desk.url };
  const read = async (path: string) => (await fetch(desk.url + path, { headers })).text();
  const send = async (path: string, fields: Record<string, string>) => {
    const csrf = /name="csrf" value="([^"]+)"/.exec(await read('/website/first-screen'))![1]!;
    const body = new URLSearchParams({ csrf, ...fields });
    return fetch(desk.url + path, { method: 'POST', headers, body, redirect: 'manual' });
  };
  const begin = () => send('/website/publish', { act: 'publish' });
  const state = () => {
    const last = readFileSync(join(settings.DATA_DIR!, 'sites/last.json'), 'utf8');
    return (JSON.parse(last) as { state: string }).state;
  };
  const wait = () => vi.waitFor(() => expect(state()).toBe('live'), WAIT);
  return {
    read,
    begin,
    state,
    wait,
    kill: desk.kill,
    write: (part: string, field: string, words: string) =>
      send(`/website/${part}`, { act: 'save', draft: '{}', [field]: words }),
    publish: async () => {
      await begin();
      await wait();
    },
    /** To what was live before the one publish. */
    goBack: async () => {
      const [version] = readdirSync(join(settings.DATA_DIR!, 'versions'));
      await send('/website/publish', { act: 'go-back', version: version! });
      await wait();
    },
  };
}

/** A connection that is kept may be closed while the machine is too busy to use it. */
const CLOSE = { Connection: 'close' };

/** Some visitors, each of whom asks for one page after the other, and people who sign up one after the other. */
function startLoad({ url }: RunningSite) {
  const statuses = new Set<number | string>();
  let people = 0;
  const over = new AbortController();
  const repeat = async (ask: () => Promise<Response>) => {
    while (!over.signal.aborted) {
      statuses.add(await ask().then(readStatus, String));
      await setTimeout(20);
    }
  };
  const signUp = () => {
    people += 1;
    const headers = {
      ...CLOSE,
      'Content-Type': 'application/json',
      'X-Test-Client': `10.1.${people >> 8}.${people & 255}`,
    };
    const body = JSON.stringify({ email: `p${people}@example.org`, name: '', role: '', source: 'Footer' });
    return fetch(url + NEWSLETTER_PATH, { method: 'POST', headers, body });
  };
  const asks = [
    ...['/', '/privacy-policy', '/robots.txt', '/favicon.svg'].map(
      (path) => () => fetch(url + path, { headers: CLOSE }),
    ),
    signUp,
  ];
  const asked = Promise.all(asks.map(repeat));
  const stop = async () => {
    over.abort();
    await asked;
    return { statuses, people };
  };
  // Before the site ends, if an expectation fails.
  onTestFinished(async () => void (await stop()));
  return { stop };
}

async function readStatus(answer: Response): Promise<number> {
  await answer.arrayBuffer();
  return answer.status;
}

async function readHome({ url }: { url: string }): Promise<string> {
  return (await fetch(url)).text();
}

function readAll(folder: string): Map<string, string> {
  return new Map(
    listFiles(folder)
      .toSorted()
      .map((file) => [file, readFileSync(join(folder, file), 'base64')]),
  );
}
