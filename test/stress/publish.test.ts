import { cpSync, existsSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { NEWSLETTER_PATH } from '#shared/sign-up-rules.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listFiles } from '#content/list-files.ts';
import { PUBLIC_SITE, PUBLIC_URL } from '../built-sites.ts';
import { freePort } from '../free-port.ts';
import { makeFolder } from '../make-folder.ts';
import { type SmtpServer, startSmtp } from '../newsletter/setup/smtp-server.ts';
import { type RunningSite, startSite } from '../running-site.ts';
import { signInToDesk } from '../sign-in.ts';
import { TEST_CONTENT } from '../test-content.ts';

/** The desk’s work has a low priority, so it takes a long time on a busy machine. */
const WAIT = { timeout: 200_000, interval: 50 };
/** Rendering a page of the desk takes some work. */
const SLOW = { timeout: 200_000, interval: 500 };

/** A site whose content may change, and the settings for restarting it. */
type Place = { site: RunningSite; smtp: SmtpServer; env: Record<'CONTENT_DIR' | 'PORT' | 'SMTP_URL', string> };
type Desk = Awaited<ReturnType<typeof openDesk>>;

// One test, since each publish takes seconds of CPU time.
test(
  'publishes without disturbing visitors or emails, changes nothing if the server is killed first, and goes back to an earlier version',
  { timeout: 900_000 },
  async () => {
    const place = await openPlace();
    const first = await openDesk(place.site);
    await first.write('first-screen', 'home.hero.headline', 'New words');
    await first.write('welcome', 'mail.welcome.subject', 'New subject');

    await killWhileMaking(place, first);
    await publishUnderLoad(place, await openDesk(place.site));

    await killAndStart(place, damageSites);
    expect(await readHome(place.site), 'a server that starts again').toContain('New words');

    const desk = await openDesk(place.site);
    await desk.goBack();
    await desk.begin();
    await desk.wait();
    expect(await readHome(place.site)).not.toContain('New words');
    expect(readAll(place.env.CONTENT_DIR), 'the server never writes there').toEqual(readAll(TEST_CONTENT));
  },
);

async function killWhileMaking(place: Place, desk: Desk): Promise<void> {
  await desk.begin();
  const isMaking = () => listFolders(place.site.dataDir).some((name) => name.includes('.unfinished-'));
  await vi.waitFor(() => expect(isMaking()).toBe(true), { ...WAIT, interval: 5 });
  await killAndStart(place);
  expect(await (await openDesk(place.site)).read('/desk/website')).toContain('Two changes are not live yet');
  expect(await readHome(place.site)).not.toContain('New words');
}

/** @param between changes the data while no server runs */
async function killAndStart(place: Place, between: (dataDir: string) => void = () => undefined): Promise<void> {
  const { site, env } = place;
  process.kill(site.pid, 'SIGKILL');
  await vi.waitFor(() => expect(fetch(site.url)).rejects.toThrow('fetch failed'), WAIT);
  between(site.dataDir);
  place.site = await startSite({ build: PUBLIC_SITE, env, dataDir: site.dataDir });
  onTestFinished(place.site.stop);
}

/** Publishes while people request pages and sign up. */
async function publishUnderLoad({ site, smtp }: Place, desk: Desk): Promise<void> {
  const load = startLoad(site);
  await desk.begin();
  await desk.wait();
  expect(await readHome(site)).toContain('New words');
  expect(await desk.read('/desk/website')).toContain('Everything you wrote is live');
  await vi.waitFor(() => expect(smtp.taken.map(({ subject }) => subject)).toContain('New subject'), WAIT);
  const { statuses, people } = await load.stop();
  expect([...statuses]).toEqual([200]);
  await vi.waitFor(() => expect(smtp.taken.length).toBe(people), WAIT);
  expect(new Set(smtp.taken.map(({ to }) => to)).size, 'nobody got two emails').toBe(people);
}

function listFolders(dataDir: string): string[] {
  const sites = join(dataDir, 'sites');
  return existsSync(sites) ? readdirSync(sites) : [];
}

/** Truncates a page in each built site. */
function damageSites(dataDir: string): void {
  const made = listFolders(dataDir).filter((name) => !name.includes('.unfinished-'));
  for (const name of made) truncateSync(join(dataDir, 'sites', name, 'site/index.html'), 10);
}

async function openPlace(): Promise<Place> {
  const smtp = await startSmtp();
  const CONTENT_DIR = join(makeFolder(), 'content');
  cpSync(TEST_CONTENT, CONTENT_DIR, { recursive: true });
  const env = { CONTENT_DIR, SMTP_URL: smtp.url, MAIL_HOURLY_CAP: '1000000', PORT: String(await freePort()) };
  const site = await startSite({ build: PUBLIC_SITE, env });
  onTestFinished(site.stop);
  return { site, smtp, env };
}

async function openDesk({ url, dataDir }: RunningSite) {
  const headers = await signInToDesk({ url, dataDir, origin: PUBLIC_URL });
  const read = async (path: string) => (await fetch(url + path, { headers })).text();
  const send = async (path: string, fields: Record<string, string>) =>
    fetch(url + path, { method: 'POST', headers, body: new URLSearchParams(fields), redirect: 'manual' });
  return {
    read,
    begin: () => send('/desk/website/publish', { action: 'publish' }),
    wait: () =>
      vi.waitFor(async () => expect(await read('/desk/website')).toContain('Your changes have been live since'), SLOW),
    write: (part: string, field: string, words: string) =>
      send(`/desk/website/${part}`, { action: 'save', draft: '{}', [field]: words }),
    /** Fills the draft with the first live version. */
    goBack: () => send('/desk/website/publish', { action: 'go-back', version: '1' }),
  };
}

/** A kept-alive connection may be closed while the machine is too busy to use it. */
const CLOSE = { Connection: 'close' };

/** A few visitors who each request one page after another, and people who sign up one after another. */
function startLoad({ url }: RunningSite) {
  const statuses = new Set<number | string>();
  let people = 0;
  const over = new AbortController();
  const repeat = async (ask: () => Promise<Response>) => {
    while (!over.signal.aborted) {
      statuses.add(await ask().then(readStatus, String));
      await setTimeout(50);
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
  // Stops before the site does, even if an expectation fails.
  onTestFinished(async () => void (await stop()));
  return { stop };
}

async function readStatus(response: Response): Promise<number> {
  await response.arrayBuffer();
  return response.status;
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
