import { expect, test } from 'vitest';
import { TOKEN_PATHS } from '#newsletter/subscribers/tokens.ts';
import { openSiteFiles } from '#server/site-files.ts';
import { NEWSLETTER_PATH } from '#shared/sign-up-rules.ts';
import { ask } from '../../ask.ts';
import { TEST_SITE } from '../../built-sites.ts';
import { startNewsletter } from '../setup/running-newsletter.ts';
import { watchLoop } from '../setup/watch-loop.ts';

/** Several at a time, since each mostly waits. */
const AT_ONCE = 5;

type Sent = { method?: string; path?: string; headers?: Record<string, string>; body?: string };

/** Each is repeated until the text is long enough, between an a and a b. */
const FILLERS = [' ', 'a@', '%2', '.', '<', '&#64', ','];

const HEADERS = ['Accept', 'Accept-Encoding', 'Accept-Language', 'Content-Type', 'Cookie', 'DNT', 'Forwarded', 'Host']
  .concat(['If-Match', 'If-Modified-Since', 'If-None-Match', 'If-Range', 'Origin', 'Purpose', 'Range', 'Referer'])
  .concat(['Sec-Fetch-Dest', 'Sec-Fetch-Site', 'Sec-GPC', 'Sec-Purpose', 'User-Agent', 'X-Forwarded-For']);

/** The headers of a sign-up that the site reads. */
const READ_HEADERS = ['Accept', 'Content-Type', 'Host', 'Origin', 'Sec-Fetch-Site', 'X-Forwarded-For'];

const FIELDS = ['email', 'name', 'role', 'source', 'consent', 'company', 'website'];

test(
  'handles any content of a header, a field or an email address without failing or blocking the event loop',
  { timeout: 300_000 },
  async () => {
    const send = await startSite();
    const bad: string[] = [];
    for (const filler of FILLERS) {
      const requests = Object.entries(makeRequests(filler));
      for (let first = 0; first < requests.length; first += AT_ONCE) {
        const some = requests.slice(first, first + AT_ONCE);
        const readLongestTurn = watchLoop();
        const statuses = await Promise.all(some.map(async ([, request]) => (await send(request)) ?? 0));
        const waited = await readLongestTurn();
        const isBad = waited >= 100 || Math.max(...statuses) >= 500;
        const names = some.map(([name]) => name).join(', ');
        if (isBad) bad.push(`${names} of ${JSON.stringify(filler)}: ${statuses.join()} after ${Math.round(waited)} ms`);
      }
    }
    expect(bad).toEqual([]);
  },
);

function makeRequests(filler: string): Record<string, Sent> {
  const fill = (length: number) => `a${filler.repeat(length / filler.length)}b`;
  const post = { method: 'POST', path: NEWSLETTER_PATH };
  const json = { 'Content-Type': 'application/json' };
  const form = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
  const filled = encodeURI(fill(15_000)).slice(0, 15_000);
  return Object.fromEntries([
    ...HEADERS.map((name) => [`GET with ${name}`, { headers: { [name]: fill(15_000) } }]),
    ...READ_HEADERS.map((name) => [
      `POST with ${name}`,
      { ...post, headers: { ...json, [name]: fill(15_000) }, body: '{}' },
    ]),
    // More than the limit, so its fields are not read.
    ['60000 of JSON', { ...post, headers: json, body: toJson({ email: fill(60_000) }) }],
    ['60000 of a form', { ...post, headers: form, body: toForm({ email: fill(60_000) }) }],
    ...FIELDS.flatMap((field) => [
      [`${field} of JSON`, { ...post, headers: json, body: toJson({ [field]: fill(7500) }) }],
      [`${field} of a form`, { ...post, headers: form, body: toForm({ [field]: fill(7500) }) }],
    ]),
    ['an address of dots past the @', { ...post, headers: json, body: toJson({ email: `a@${fill(7500)}` }) }],
    ['a path', { path: `/${filled}` }],
    ['an encoded path', { path: `/${encodeURIComponent(fill(5000)).slice(0, 15_000)}` }],
    ['a query', { path: `/?utm_source=${filled}`.slice(0, 15_000) }],
    ...Object.values(TOKEN_PATHS).flatMap((path) => [
      [`GET ${path}`, { path: `${path}/${filled}` }],
      [`POST ${path}`, { method: 'POST', path: `${path}/${filled}` }],
    ]),
  ]);
}

const VALID = { email: 'anna@example.org', name: '', role: '', source: 'Footer' };

function toJson(fields: Record<string, string>): string {
  return JSON.stringify({ ...VALID, ...fields });
}

function toForm(fields: Record<string, string>): string {
  return new URLSearchParams({ ...VALID, ...fields }).toString();
}

/** The built site and its newsletter in this process. Every request has another IP address. */
async function startSite(): Promise<(sent: Sent) => Promise<number | undefined>> {
  const { url } = await startNewsletter(
    { TRUSTED_PROXY_HEADER: 'X-Forwarded-For' },
    'SQLite',
    await openSiteFiles(TEST_SITE),
  );
  let clients = 0;
  return async ({ headers, ...sent }) => {
    clients += 1;
    const client = { 'X-Forwarded-For': `10.0.${clients >> 8}.${clients & 255}` };
    try {
      return (await ask(url, { ...sent, headers: { ...client, ...headers } })).status;
    } catch (error) {
      // The server closes the connection of a body that is too long.
      if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') return undefined;
      throw error;
    }
  };
}
