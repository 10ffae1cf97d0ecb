import { cpSync, existsSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { NEWSLETTER_PATH } from '#shared/newsletter.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listFiles } from '#content/list-files.ts';
import { PUBLIC_SITE, PUBLIC_URL } from '../built-sites.ts';
import { makeFolder } from '../make-folder.ts';
import { type SmtpServer, startSmtp } from '../newsletter/setup/smtp-server.ts';
import { type RunningDesk, startDesk } from '../running-desk.ts';
import { type RunningSite, startSite } from '../running-site.ts';
import { startServer } from '../server-process.ts';
import { TEST_CONTENT } from '../test-content.ts';

const WAIT = { timeout: 60_000, interval: 50 };
/** A page of the desk is some work. */
const SLOW = { timeout: 60_000, interval: 500 };

/** A site whose content may change, and the settings of its desks. */
type Place = { site: RunningSite; smtp: SmtpServer; settings: Settings };
type Settings = Record<'CONTENT_DIR' | 'DATA_DIR' | 'SITE_URL', string>;
type Desk = Awaited<ReturnType<typeof openDesk>>;

// One test, since each publish takes seconds of the processor.
test(
  'words go live without a visitor or a mail noticing, and not from a killed desk; going back shows what was live',
  { timeout: 300_000 },
  async () => {
    const place = await openPlace();
    const { site, settings } = place;
    const first = await openDesk(settings);
    await first.write('first-screen', 'home.hero.headline', 'New words');
    await first.write('welcome', 'mail.welcome.subject', 'New subject');

    const desk = await killWhileMaking(place, first);
    await publishUnderLoad(place, desk);

    process.kill(site.pid, 'SIGKILL');
    damageSites(settings.DATA_DIR);
    const next = await startServer(PUBLIC_SITE, { ...settings, PORT: new URL(site.url).port });
    onTestFinished(next.kill);
    expect(await readHome(site), 'a server that starts again').toContain('New words');

    await desk.goBack();
    await desk.begin();
    await desk.wait();
    expect(await readHome(site)).not.toContain('New words');
    expect(readAll(settings.CONTENT_DIR), 'the server never writes there').toEqual(readAll(TEST_CONTENT));
  },
);

/** @returns the next desk */
async function killWhileMaking({ site, settings }: Place, desk: Desk): Promise<Desk> {
  await desk.begin();
  const isMaking = () => listFolders(settings.DATA_DIR).some((name) => name.includes('.unfinished-'));
  await vi.waitFor(() => expect(isMaking()).toBe(true), { ...WAIT, interval: 5 });
  await desk.kill();
  const next = await openDesk(settings);
  expect(await next.read('/website')).toContain('Two changes are not live yet');
  expect(await readHome(site)).not.toContain('New words');
  return next;
}

/** While people ask for pages and sign up, and a second desk publishes too. */
async function publishUnderLoad({ site, smtp, settings }: Place, desk: Desk): Promise<void> {
  const load = startLoad(site);
  const other = await openDesk(settings);
  await Promise.all([desk.begin(), other.begin()]);
  await vi.waitFor(async () => {
    const pages = await Promise.all([desk.read('/website'), other.read('/website')]);
    expect(pages.filter((page) => page.includes('Visitors see your words'))).toHaveLength(1);
    expect(pages.filter((page) => page.includes('somebody else has published meanwhile'))).toHaveLength(1);
  }, SLOW);
  expect(await readHome(site)).toContain('New words');
  expect(await desk.read('/website')).toContain('Everything you wrote is live');
  await vi.waitFor(() => expect(smtp.taken.map(({ subject }) => subject)).toContain('New subject'), WAIT);
  const { statuses, people } = await load.stop();
  expect([...statuses]).toEqual([200]);
  await vi.waitFor(() => expect(smtp.taken.length).toBe(people), WAIT);
  expect(new Set(smtp.taken.map(({ to }) => to)).size, 'nobody got two').toBe(people);
}

function listFolders(dataDir: string): string[] {
  const sites = join(dataDir, 'sites');
  return existsSync(sites) ? readdirSync(sites) : [];
}

/** Truncates a page of each made site. */
function damageSites(dataDir: string): void {
  const made = listFolders(dataDir).filter((name) => !name.includes('.unfinished-'));
  for (const name of made) truncateSync(join(dataDir, 'sites', name, 'site/index.html'), 10);
}

async function openPlace(): Promise<Place> {
  const smtp = await startSmtp();
  const CONTENT_DIR = join(makeFolder(), 'content');
  cpSync(TEST_CONTENT, CONTENT_DIR, { recursive: true });
  const site = await startSite({
    build: PUBLIC_SITE,
    env: { CONTENT_DIR, SMTP_URL: smtp.url, MAIL_HOURLY_CAP: '1000000' },
  });
  onTestFinished(site.stop);
  return { site, smtp, settings: { CONTENT_DIR, DATA_DIR: site.dataDir, SITE_URL: PUBLIC_URL } };
}

async function openDesk(settings: Settings) {
  const desk: RunningDesk = await startDesk(settings, '0', PUBLIC_SITE);
  onTestFinished(desk.kill);
  const entered = await fetch(desk.address, { redirect: 'manual' });
  const headers = { Cookie: entered.headers.get('set-cookie')!.split(';', 1)[0]!, Origin: desk.url };
  const read = async (path: string) => (await fetch(desk.url + path, { headers })).text();
  const send = async (path: string, fields: Record<string, string>) => {
    const csrf = /name="csrf" value="([^"]+)"/.exec(await read('/website/first-screen'))![1]!;
    const body = new URLSearchParams({ csrf, ...fields });
    return fetch(desk.url + path, { method: 'POST', headers, body, redirect: 'manual' });
  };
  return {
    read,
    begin: () => send('/website/publish', { action: 'publish' }),
    wait: () => vi.waitFor(async () => expect(await read('/website')).toContain('Visitors see your words'), SLOW),
    kill: desk.kill,
    write: (part: string, field: string, words: string) =>
      send(`/website/${part}`, { action: 'save', draft: '{}', [field]: words }),
    /** Fills the draft with what was live first. */
    goBack: () => send('/website/publish', { action: 'go-back', version: '1' }),
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
