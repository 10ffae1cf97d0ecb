import { type Finding, reportIf } from './finding.ts';
import { readPage } from './read-page.ts';

/** The answers that the build expects of the live site. */
export type Expected = { paths: string[]; headersFor: (path: string) => Record<string, string> };

/** Addresses that should redirect to the site; a test has them on other ports. */
type OtherAddresses = { insecure: string; otherHost: string };

const TIMEOUT_MS = 15_000;

/**
 * Finds the mistakes of the site as the world sees it.
 * @param origin such as https://www.example.org
 */
export async function checkLiveSite(
  origin: string,
  expected: Expected,
  others: OtherAddresses = otherAddresses(origin),
): Promise<Finding[]> {
  const { failure } = await get(`${origin}/`);
  if (failure !== undefined) {
    const advice = 'Check DNS, the certificate and that the site is running.';
    return [{ where: origin, problem: `there is no answer (${failure})`, advice }];
  }
  const checks = [
    ...expected.paths.map((path) => checkPage(origin, path, expected)),
    checkRedirectToTls(origin, others.insecure),
    checkOtherHost(origin, others.otherHost),
    checkMissingPage(origin),
  ];
  return (await Promise.all(checks)).flat();
}

/** The same host without TLS, and the host with or without www. */
function otherAddresses(origin: string): OtherAddresses {
  const { hostname } = new URL(origin);
  const other = hostname.startsWith('www.') ? hostname.slice('www.'.length) : `www.${hostname}`;
  return { insecure: `http://${hostname}/`, otherHost: `https://${other}/` };
}

async function checkPage(origin: string, path: string, expected: Expected): Promise<Finding[]> {
  const where = origin + path;
  const { failure, status, headers, text } = await get(where);
  if (status !== 200) {
    const problem = failure ?? `the answer is ${status}`;
    return [{ where, problem, advice: 'Deploy the whole of dist/site; a page is asked for without .html.' }];
  }
  const page = readPage(text);
  const canonical = page.querySelector('link[rel="canonical"]')?.getAttribute('href');
  const hasNoindex = page.querySelector('meta[name="robots"][content*="noindex"]') !== null;
  const isHidden = hasNoindex || (headers.get('x-robots-tag')?.includes('noindex') ?? false);
  return [
    ...Object.entries(expected.headersFor(path)).flatMap(([name, value]) => {
      const found = headers.get(name);
      const advice = `Expected ${value}. Deploy the headers that the build made for your host (docs/owner/today.md).`;
      return reportIf(found !== value, where, `${name} is ${found ?? 'missing'}`, advice);
    }),
    ...reportIf(canonical !== where, where, `the canonical address is ${canonical ?? 'missing'}`, rebuild(origin)),
    ...reportIf(isHidden, where, 'search engines are asked not to list the site', rebuild(origin)),
  ];
}

function rebuild(origin: string): string {
  return `Build with SITE_URL=${origin} and deploy again.`;
}

async function checkRedirectToTls(origin: string, insecure: string): Promise<Finding[]> {
  const { failure, status, target } = await get(insecure);
  const isRight = (status === 301 || status === 308) && readOrigin(target, insecure) === origin;
  const problem = `the answer is ${status}${target ? ` to ${target}` : ''}`;
  const advice = `Redirect to ${origin} with 301 or 308, to the same host first, so that browsers remember to use TLS.`;
  // Where nothing answers without TLS there is nothing to redirect.
  return reportIf(failure === undefined && !isRight, insecure, problem, advice);
}

/** A sign-up from another host than that of SITE_URL is refused. */
async function checkOtherHost(origin: string, otherHost: string): Promise<Finding[]> {
  const { failure, status, target } = await get(otherHost);
  const isRight = status >= 300 && status < 400 && readOrigin(target, otherHost) === origin;
  const problem = 'the site has a second address that does not redirect to the first';
  return reportIf(failure === undefined && !isRight, otherHost, problem, `Redirect it to ${origin} with 301 or 308.`);
}

function readOrigin(target: string | null, from: string): string | undefined {
  return target === null ? undefined : URL.parse(target, from)?.origin;
}

async function checkMissingPage(origin: string): Promise<Finding[]> {
  const where = `${origin}/there-is-no-such-page`;
  const { failure, status } = await get(where);
  const problem = `an address where there is nothing answers ${failure ?? status}`;
  const advice = 'Have the host answer 404 with 404.html; turn off “single page application” in its settings.';
  return reportIf(status !== 404, where, problem, advice);
}

/** The answer of an address; `failure` says why there is no answer, and the status is 0 then. */
type Answer = { failure?: string; status: number; headers: Headers; text: string; target: string | null };

async function get(address: string): Promise<Answer> {
  try {
    const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { status, headers } = answer;
    return { status, headers, text: await answer.text(), target: headers.get('location') };
  } catch (error) {
    // The reason is in the cause: fetch itself only says that it failed.
    const { cause, message } = error as Error;
    const failure = cause instanceof Error ? cause.message : message;
    return { failure, status: 0, headers: new Headers(), text: '', target: null };
  }
}
