import type { Environment } from '#shared/environment.ts';
import { readSiteUrl } from '../updates/send-test.ts';
import type { SiteAnswer } from './desk-types.ts';

/** Asks the public site whether it could store a sign-up now, at most once a minute. */
export function siteAsker(env: Environment): () => Promise<SiteAnswer> {
  let last: SiteAnswer | undefined;
  return async () => {
    const now = Date.now();
    if (last === undefined || now - last.at > KEPT_MS) last = { ...(await ask(readSiteUrl(env))), at: now };
    return last;
  };
}

/** In milliseconds. */
const KEPT_MS = 60_000;
const ANSWER_TIMEOUT_MS = 2000;

async function ask(url: string): Promise<Omit<SiteAnswer, 'at'>> {
  try {
    const { ok, status } = await fetch(`${url}/healthz`, {
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      redirect: 'error',
    });
    if (ok) return { url, problem: undefined };
    return { url, problem: status === 503 ? 'It runs, but cannot store a sign-up now' : `It answered ${status}` };
  } catch (error) {
    const isLate = (error as Error).name === 'TimeoutError';
    return { url, problem: isLate ? 'No answer within two seconds' : 'It does not answer' };
  }
}
