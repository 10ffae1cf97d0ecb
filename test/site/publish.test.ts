import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
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

/** A site under load, whose visitors sign up, beside a desk. */
type Place = { site: RunningSite; content: string; settings: Record<string, string> };

test('visitors are answered and mails sent as ever while words go live, and going back leaves the files as they were', async () => {
  const smtp = await startSmtp();
  const { site, content, settings } = await openPlace({ SMTP_URL: smtp.url, MAIL_HOURLY_CAP: '1000000' });
  const desk = await openDesk(settings);
  const load = startLoad(site);
  await desk.write('first-screen', 'home.hero.headline', 'First new words');
  await desk.write('welcome', 'mail.welcome.subject', 'First new subject');
  await desk.publish();
  expect(await readHome(site)).toContain('First new words');
  await desk.write('first-screen', 'home.hero.headline', 'Second new words');
  await desk.publish();
  expect(await readHome(site)).toContain('Second new words');
  expect(await desk.read('/website')).toContain('Everything you wrote is live');
  for (const name of desk.versions()) await desk.goBack(name);
  expect(await readHome(site)).not.toContain('new words');
  const { statuses, people } = await load.stop();
  expect([...statuses.keys()]).toEqual([200]);
  expect(readAll(content)).toEqual(readAll(TEST_CONTENT));
  await vi.waitFor(() => expect(smtp.taken.length).toBe(people), { timeout: 60_000, interval: 100 });
  expect(new Set(smtp.taken.map(({ to }) => to)).size, 'nobody got two').toBe(people);
  expect(new Set(smtp.taken.map(({ subject }) => subject))).toContain('First new subject');
});

test.each(['checking', 'making'])(
  'a desk that is killed while it is %s has published nothing, and says so',
  async (state) => {
    const { site, content, settings } = await openPlace();
    const desk = await openDesk(settings);
    const before = readAll(content);
    await desk.write('first-screen', 'home.hero.headline', 'Words of a desk that was killed');
    await desk.begin();
    await vi.waitFor(() => expect(desk.state()).toBe(state), { timeout: 60_000, interval: 5 });
    await desk.kill();
    const again = await openDesk(settings);
    expect(await again.read('/website')).toContain('Nothing was published');
    expect(await again.read('/website')).toContain('One change is not live yet');
    expect(readAll(content)).toEqual(before);
    expect(await readHome(site)).not.toContain('killed');
    await again.publish();
    expect(await readHome(site)).toContain('Words of a desk that was killed');
  },
);

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
  const { SITE_URL, ...others } = settings;
  const next = await startServer(TEST_SITE, others);
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
  const wait = () => vi.waitFor(() => expect(state()).toBe('live'), { timeout: 60_000, interval: 50 });
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
    versions: () => readdirSync(join(settings.DATA_DIR!, 'versions')).toSorted().toReversed(),
    goBack: async (version: string) => {
      await send('/website/publish', { act: 'go-back', version });
      await wait();
    },
  };
}

/** About 200 requests a second, and ten sign-ups. */
function startLoad({ url }: RunningSite) {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  const statuses = new Map<number | string, number>();
  const note = (status: number | string) => statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const open: Promise<void>[] = [];
  let people = 0;
  const ask = (path: string) =>
    new Promise<void>((resolve) => {
      get(url + path, { agent }, (response) => {
        note(response.statusCode!);
        response.resume().on('end', resolve);
      }).on('error', ({ name }) => {
        note(name);
        resolve();
      });
    });
  const signUp = async () => {
    people += 1;
    const headers = { 'Content-Type': 'application/json', 'X-Test-Client': `10.1.${people >> 8}.${people & 255}` };
    const body = JSON.stringify({ email: `p${people}@example.org`, name: '', role: '', source: 'Footer' });
    note((await fetch(url + NEWSLETTER_PATH, { method: 'POST', headers, body })).status);
  };
  const timers = [
    setInterval(() => open.push(...['/', '/privacy-policy', '/robots.txt', '/favicon.svg', '/'].map(ask)), 25),
    setInterval(() => open.push(signUp()), 100),
  ];
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(open);
      agent.destroy();
      return { statuses, people };
    },
  };
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
