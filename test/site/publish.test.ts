import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { NEWSLETTER_PATH } from '#shared/newsletter.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listFiles } from '#content/list-files.ts';
import { freePort } from '../free-port.ts';
import { makeFolder } from '../make-folder.ts';
import { type RunningSite, startSite } from '../running-site.ts';
import { signInToDesk } from '../sign-in.ts';
import { TEST_CONTENT } from '../test-content.ts';

/** The desk’s work has a low priority: on a busy machine it takes long. */
const WAIT = { timeout: 200_000, interval: 50 };

/** A site whose content may change, and its settings, with which it may start again. */
type Place = { site: RunningSite; env: Record<'CONTENT_DIR' | 'MAIL_HOURLY_CAP' | 'PORT', string> };
type Desk = Awaited<ReturnType<typeof openDesk>>;

// One test, since each publish takes seconds of the processor.
test(
  'words go live without a visitor or a mail noticing, and not from a server killed before; going back restores the files',
  { timeout: 900_000 },
  async () => {
    const place = await openPlace();
    const first = await openDesk(place.site);
    await first.write('first-screen', 'home.hero.headline', 'New words');
    await first.write('welcome', 'mail.welcome.subject', 'New subject');

    await killWhileMaking(place, first);
    await publishUnderLoad(place, await openDesk(place.site));

    await killAndStart(place);
    expect(await readHome(place.site), 'a server that starts again').toContain('New words');

    await (await openDesk(place.site)).goBack();
    expect(await readHome(place.site)).not.toContain('New words');
    expect(readAll(place.env.CONTENT_DIR)).toEqual(readAll(TEST_CONTENT));
  },
);

async function killWhileMaking(place: Place, desk: Desk): Promise<void> {
  await desk.begin();
  await vi.waitFor(() => expect(desk.state()).toBe('making'), { ...WAIT, interval: 5 });
  await killAndStart(place);
  const overview = await (await openDesk(place.site)).read('/desk/website');
  expect(overview).toContain('Nothing was published');
  expect(overview).toContain('Two changes are not live yet');
  expect(readAll(place.env.CONTENT_DIR)).toEqual(readAll(TEST_CONTENT));
  expect(await readHome(place.site)).not.toContain('New words');
}

async function killAndStart(place: Place): Promise<void> {
  const { site, env } = place;
  process.kill(site.pid, 'SIGKILL');
  await vi.waitFor(() => expect(fetch(site.url)).rejects.toThrow('fetch failed'), WAIT);
  place.site = await startSite({ env, dataDir: site.dataDir });
  onTestFinished(place.site.stop);
}

/** While people ask for pages and sign up, and a second browser wants to publish too. */
async function publishUnderLoad({ site }: Place, desk: Desk): Promise<void> {
  const load = startLoad(site);
  const other = await openDesk(site);
  await desk.begin();
  const answer = await other.begin();
  expect(await other.read(answer.headers.get('Location')!)).toContain('is being published already');
  await desk.wait();
  expect(await readHome(site)).toContain('New words');
  expect(await desk.read('/desk/website')).toContain('Everything you wrote is live');
  await vi.waitFor(() => expect(readMails(site).join()).toContain('\nSubject: New subject'), WAIT);
  const { statuses, people } = await load.stop();
  expect([...statuses]).toEqual([200]);
  await vi.waitFor(() => expect(readMails(site).length).toBe(people), WAIT);
  const recipients = readMails(site).map((mail) => /^To: .*$/m.exec(mail)![0]);
  expect(new Set(recipients).size, 'nobody got two').toBe(people);
}

function readMails({ dataDir }: RunningSite): string[] {
  const outbox = join(dataDir, 'outbox');
  return listFiles(outbox)
    .filter((file) => file.endsWith('.eml'))
    .map((file) => readFileSync(join(outbox, file), 'utf8'));
}

async function openPlace(): Promise<Place> {
  const CONTENT_DIR = join(makeFolder(), 'content');
  cpSync(TEST_CONTENT, CONTENT_DIR, { recursive: true });
  const env = { CONTENT_DIR, MAIL_HOURLY_CAP: '1000000', PORT: String(await freePort()) };
  const site = await startSite({ env });
  onTestFinished(site.stop);
  return { site, env };
}

async function openDesk(site: RunningSite) {
  const { url, dataDir } = site;
  const headers = await signInToDesk(site);
  const read = async (path: string) => (await fetch(url + path, { headers })).text();
  const send = async (path: string, fields: Record<string, string>) =>
    fetch(url + path, { method: 'POST', headers, body: new URLSearchParams(fields), redirect: 'manual' });
  const begin = () => send('/desk/website/publish', { action: 'publish' });
  const state = () => {
    const last = readFileSync(join(dataDir, 'sites/last.json'), 'utf8');
    return (JSON.parse(last) as { state: string }).state;
  };
  const wait = () => vi.waitFor(() => expect(state()).toBe('live'), WAIT);
  return {
    read,
    begin,
    state,
    wait,
    write: (part: string, field: string, words: string) =>
      send(`/desk/website/${part}`, { action: 'save', draft: '{}', [field]: words }),
    /** To what was live before the one publish. */
    goBack: async () => {
      const [version] = readdirSync(join(dataDir, 'versions'));
      await send('/desk/website/publish', { action: 'go-back', version: version! });
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
