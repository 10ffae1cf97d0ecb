import type { Finding } from './finding.ts';
import { readPage } from './read-page.ts';

/** What the build says that the live site should answer. */
export type Expected = { paths: string[]; headersOf: (path: string) => Record<string, string> };

/** Where a test finds what the live site has on ports and hosts that follow from its address. */
export type OtherAddresses = { insecure: string; otherHost: string };

const TIMEOUT_MS = 15_000;

/**
 * What is wrong with the site as the world sees it.
 * @param origin such as https://www.example.org
 */
export async function checkLiveSite(
  origin: string,
  expected: Expected,
  others: OtherAddresses = otherAddresses(origin),
): Promise<Finding[]> {
  const home = await get(`${origin}/`);
  if (home instanceof Error) {
    return [
      {
        where: origin,
        problem: `there is no answer (${home.message})`,
        advice: 'Check DNS, the certificate and that the site is running.',
      },
    ];
  }
  const checks = [
    ...expected.paths.map((path) => checkPage(origin, path, expected)),
    checkRedirectToTls(origin, others.insecure),
    checkOtherHost(origin, others.otherHost),
    checkRobots(origin),
    checkMissingPage(origin),
  ];
  return (await Promise.all(checks)).flat();
}

/** The same host in the clear, and the host with or without www. */
function otherAddresses(origin: string): OtherAddresses {
  const { hostname } = new URL(origin);
  const other = hostname.startsWith('www.') ? hostname.slice('www.'.length) : `www.${hostname}`;
  return { insecure: `http://${hostname}/`, otherHost: `https://${other}/` };
}

async function checkPage(origin: string, path: string, expected: Expected): Promise<Finding[]> {
  const where = origin + path;
  const answer = await get(where);
  if (answer instanceof Error || answer.status !== 200) {
    const problem = answer instanceof Error ? answer.message : `the answer is ${answer.status}`;
    return [{ where, problem, advice: 'Deploy the whole of dist/site; a page is asked for without .html.' }];
  }
  const findings = Object.entries(expected.headersOf(path))
    .filter(([name, value]) => answer.headers.get(name) !== value)
    .map(([name, value]) => ({
      where,
      problem: `${name} is ${answer.headers.get(name) ?? 'missing'}`,
      advice: `Expected ${value}. Deploy the headers that the build made for your host (docs/owner.md).`,
    }));

  const page = readPage(await answer.text());
  const canonical = page.querySelector('link[rel="canonical"]')?.getAttribute('href');
  if (canonical !== where) {
    findings.push({
      where,
      problem: `the canonical address is ${canonical ?? 'missing'}`,
      advice: `Build with SITE_URL=${origin} and deploy again.`,
    });
  }
  if (
    page.querySelector('meta[name="robots"][content*="noindex"]') ||
    answer.headers.get('x-robots-tag')?.includes('noindex')
  ) {
    findings.push({
      where,
      problem: 'search engines are told to stay away',
      advice: `Build with SITE_URL=${origin} and deploy again.`,
    });
  }
  return findings;
}

async function checkRedirectToTls(origin: string, insecure: string): Promise<Finding[]> {
  const answer = await get(insecure);
  // Where nothing answers in the clear there is nothing to redirect.
  if (answer instanceof Error) return [];
  const target = answer.headers.get('location');
  const isRedirect = answer.status === 301 || answer.status === 308;
  if (isRedirect && target && new URL(target, insecure).host === new URL(origin).host && target.startsWith('https:'))
    return [];
  return [
    {
      where: insecure,
      problem: `the answer is ${answer.status}${target ? ` to ${target}` : ''}`,
      advice: `Redirect to ${origin} with 301 or 308, to the same host first, so that browsers remember to use TLS.`,
    },
  ];
}

async function checkOtherHost(origin: string, otherHost: string): Promise<Finding[]> {
  const answer = await get(otherHost);
  if (answer instanceof Error) return [];
  const target = answer.headers.get('location');
  if (answer.status >= 300 && answer.status < 400 && target?.startsWith(origin)) return [];
  return [
    {
      where: otherHost,
      problem: 'the site has a second address that does not redirect to the first',
      advice: `Redirect it to ${origin} with 301 or 308.`,
    },
  ];
}

async function checkRobots(origin: string): Promise<Finding[]> {
  const where = `${origin}/robots.txt`;
  const answer = await get(where);
  const text = answer instanceof Error || answer.status !== 200 ? undefined : await answer.text();
  if (text === undefined)
    return [{ where, problem: 'there is no robots.txt', advice: 'Deploy the whole of dist/site.' }];
  const findings: Finding[] = [];
  if (/^Disallow:\s*\/\s*$/im.test(text)) {
    findings.push({
      where,
      problem: 'it keeps search engines out',
      advice: 'Some hosts add this to previews: check that this is the live site.',
    });
  }
  if (!text.includes(`Sitemap: ${origin}/sitemap.xml`)) {
    findings.push({
      where,
      problem: 'it does not name the sitemap',
      advice: `Build with SITE_URL=${origin} and deploy again.`,
    });
  }
  return findings;
}

async function checkMissingPage(origin: string): Promise<Finding[]> {
  const where = `${origin}/there-is-no-such-page`;
  const answer = await get(where);
  if (!(answer instanceof Error) && answer.status === 404) return [];
  return [
    {
      where,
      problem: `an address where there is nothing answers ${answer instanceof Error ? answer.message : answer.status}`,
      advice: 'Have the host answer 404 with 404.html; turn off "single page application" in its settings.',
    },
  ];
}

async function get(address: string): Promise<Response | Error> {
  try {
    return await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    // What went wrong is in the cause: fetch itself only says that it failed.
    const { cause } = error as Error;
    return cause instanceof Error ? cause : (error as Error);
  }
}
