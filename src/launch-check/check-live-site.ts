import { explainError } from '#shared/explain-codes.ts';
import { type LaunchFinding, reportIf } from './finding.ts';
import { parsePage } from './parse-page.ts';

/** The paths and headers that the build expects from the live site. */
export type Expected = { paths: string[]; headersFor: (path: string) => Record<string, string> };

/** A response from the live site. If there was none, `failure` says why, and the status is 0. */
type PageResponse = { url: string; failure?: string; status: number; headers: Headers; text: string };

type Explanation = Omit<LaunchFinding, 'where'>;

/** URLs that should redirect to the site; tests use other ports. */
type OtherUrls = { insecure: string; otherHost: string };

/** @returns the origin of the live site @throws if the text isn't an https:// URL */
export function readLiveUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'https:') return url.origin;
  throw new Error('Expected an address that begins with https://, such as https://www.example.org');
}

/**
 * Finds what is wrong with the live site.
 * @param origin such as https://www.example.org
 */
export async function checkLiveSite(
  origin: string,
  expected: Expected,
  others: OtherUrls = otherUrls(origin),
): Promise<LaunchFinding[]> {
  const explanation = explainHome(await get(`${origin}/`, 'follow'), origin);
  // Everything else would fail for the same reason.
  if (explanation) return [{ where: origin, ...explanation }];
  const checks = [
    ...expected.paths.map((path) => checkPage(origin, path, expected)),
    checkRedirectToTls(origin, others.insecure),
    checkOtherHost(origin, others.otherHost),
    checkMissingPage(origin),
  ];
  return (await Promise.all(checks)).flat();
}

/** The same host without TLS, and the host with or without www. */
function otherUrls(origin: string): OtherUrls {
  const { hostname } = new URL(origin);
  const other = hostname.startsWith('www.') ? hostname.slice('www.'.length) : `www.${hostname}`;
  return { insecure: `http://${hostname}/`, otherHost: `https://${other}/` };
}

/** @returns why the home page isn't shown; undefined if it is */
function explainHome(response: PageResponse, origin: string): Explanation | undefined {
  if (response.status !== 200) return explainStatus(response);
  if (response.url === `${origin}/`) return findForeignPage(response);
  return {
    problem: `it redirects to ${response.url}`,
    advice:
      'If that is the right address, set SITE_URL to it and build again; otherwise remove the redirect, parking page or login at your host or domain provider.',
  };
}

/** Explains a response that isn't a page. */
function explainStatus({ failure, status }: PageResponse): Explanation {
  // This is fetch's wording.
  if (failure === 'redirect count exceeded') {
    const advice =
      'Two settings redirect against each other. In Cloudflare, change the encryption (SSL/TLS) from Flexible to Full (strict); another proxy has to send X-Forwarded-Proto. Otherwise, keep only one of the redirects to and from www.';
    return { problem: 'it redirects in a loop', advice };
  }
  if (failure !== undefined) {
    const advice =
      'If the site opens on your phone, it is up, and only this machine can’t reach it, as can happen behind a router: run npm run launch-check with its address on another machine. Otherwise, check the DNS record, the certificate, the firewall and the web server.';
    return { problem: `this machine got no answer (${failure})`, advice };
  }
  const advice =
    'Start the site, deploy the whole of dist/site, and turn off password and bot protection at your host or proxy.';
  return { problem: `it responds with ${status}`, advice };
}

/** Each of our pages links to its web manifest, and has a canonical address if it was built with SITE_URL. */
function findForeignPage({ text }: PageResponse): Explanation | undefined {
  const page = parsePage(text);
  if (page.canonical !== undefined || page.hasManifest) return undefined;
  const problem = `another page is shown${page.title && `, “${page.title.slice(0, 80)}”`}`;
  const advice =
    'Deploy the site there, turn off maintenance mode, or point the domain at the right server: a new host, a parked domain or a proxy shows a page of its own.';
  return { problem, advice };
}

async function checkPage(origin: string, path: string, expected: Expected): Promise<LaunchFinding[]> {
  const where = origin + path;
  const response = await get(where);
  const { status, headers, text } = response;
  if (status !== 200) return [{ where, ...explainStatus(response) }];
  const { canonical, ...page } = parsePage(text);
  const robots = `${page.robots} ${headers.get('x-robots-tag')}`;
  const rebuild = `Build with SITE_URL=${origin} and deploy again.`;
  return [
    ...findCloudflareChanges(response).map((explanation) => ({ where, ...explanation })),
    ...Object.entries(expected.headersFor(path)).flatMap(([name, value]) => {
      const found = headers.get(name);
      const advice = `Expected ${value}. Deploy the headers that the build made for your host (docs/hosts.md).`;
      return reportIf(found !== value, where, `${name} is ${found ?? 'missing'}`, advice);
    }),
    ...reportIf(canonical !== where, where, `the canonical address is ${canonical ?? 'missing'}`, rebuild),
    ...reportIf(robots.includes('noindex'), where, 'search engines are asked not to list the site', rebuild),
  ];
}

/**
 * Cloudflare settings that change pages: our Content-Security-Policy blocks what they add, and forms may stop working.
 */
const CLOUDFLARE_SWITCHES = [
  { mark: 'rocket-loader', name: 'Rocket Loader', place: 'Speed, Settings, Content Optimization' },
  { mark: 'static.cloudflareinsights.com', name: 'Web Analytics', place: 'Analytics & Logs, Web Analytics' },
  { mark: 'email-decode.min.js', name: 'Email Address Obfuscation', place: 'Scrape Shield' },
  { mark: '/cdn-cgi/challenge-platform/', name: 'Bot Fight Mode', place: 'Security, Bots' },
  { mark: '/cdn-cgi/zaraz/', name: 'Zaraz', place: 'Tag management' },
];

/** The folder of everything else that Cloudflare adds to pages. */
const CLOUDFLARE_FILES = /\/cdn-cgi\/[\w./-]*/;

function findCloudflareChanges({ text }: PageResponse): Explanation[] {
  const found = CLOUDFLARE_SWITCHES.filter(({ mark }) => text.includes(mark)).map(({ name, place }) => ({
    problem: `Cloudflare’s ${name} changes the page`,
    advice: `Turn ${name} off in Cloudflare, under ${place}: browsers block what it adds, and the page may not work.`,
  }));
  const [file] = CLOUDFLARE_FILES.exec(text) ?? [];
  if (found.length > 0 || file === undefined) return found;
  const advice = 'Turn off what adds it in Cloudflare: browsers block it, and the page may not work.';
  return [{ problem: `Cloudflare changes the page: it adds ${file}`, advice }];
}

async function checkRedirectToTls(origin: string, insecure: string): Promise<LaunchFinding[]> {
  const response = await get(insecure);
  const { failure, status } = response;
  const target = readTarget(response);
  const isRight = (status === 301 || status === 308) && target?.origin === origin;
  const problem = `it responds with ${status}${target ? ` to ${target.href}` : ''}`;
  const advice = `Redirect to ${origin} with 301 or 308, to the same host first, so that browsers remember to use TLS.`;
  // If nothing answers without TLS, there is nothing to redirect.
  return reportIf(failure === undefined && !isRight, insecure, problem, advice);
}

/** Sign-ups from a host other than SITE_URL's are rejected. */
async function checkOtherHost(origin: string, otherHost: string): Promise<LaunchFinding[]> {
  const response = await get(otherHost);
  const isRight = readTarget(response)?.origin === origin;
  const problem = 'this address responds, but does not redirect to the site';
  const advice = `Redirect it to ${origin} with 301 or 308.`;
  return reportIf(response.failure === undefined && !isRight, otherHost, problem, advice);
}

async function checkMissingPage(origin: string): Promise<LaunchFinding[]> {
  const where = `${origin}/there-is-no-such-page`;
  const { failure, status } = await get(where);
  const problem = `a page that doesn’t exist responds with ${failure ?? status}`;
  const advice =
    'Set the host to respond to unknown paths with 404.html and status 404; turn off “single page application” in its settings.';
  return reportIf(status !== 404, where, problem, advice);
}

/** @returns the URL that a response redirects to */
function readTarget({ url, headers }: PageResponse): URL | null {
  const location = headers.get('location');
  return location === null ? null : URL.parse(location, url);
}

async function get(url: string, redirect: 'manual' | 'follow' = 'manual'): Promise<PageResponse> {
  try {
    const response = await fetch(url, { redirect, signal: AbortSignal.timeout(15_000) });
    return { url: response.url, status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    // The reason is in the cause: fetch's own message only says that it failed.
    const { cause = error } = error as { cause?: unknown };
    return { url, failure: explainError(cause), status: 0, headers: new Headers(), text: '' };
  }
}
