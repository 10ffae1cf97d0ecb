import type { Environment } from '#settings/environment.ts';
import { readSiteUrl } from '#newsletter/updates/send-test-mail.ts';

/**
 * What is known of the public site. @property problem a sentence, if it isn't known to be up
 * @property isReached whether anything answered: visitors may reach a site that this machine can't
 */
export type SiteAnswer = { url: string; at: number; problem: string | undefined; isReached: boolean };

/** Asks the public site whether it could store a sign-up now, at most once a minute. */
export function createSiteCheck(env: Environment): () => Promise<SiteAnswer> {
  const url = readSiteUrl(env);
  let last: SiteAnswer | undefined;
  return async () => {
    const at = Date.now();
    if (last === undefined || at - last.at > KEPT_MS) last = { url, at, ...(await findProblem(url)) };
    return last;
  };
}

const KEPT_MS = 60_000;
const ANSWER_TIMEOUT_MS = 2000;

async function findProblem(url: string): Promise<Pick<SiteAnswer, 'problem' | 'isReached'>> {
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const { status } = await fetch(`${url}/healthz`, { signal });
    // A host for files answers 404, a proxy perhaps 401 or 403: the site is there.
    if (status < 500) return { problem: undefined, isReached: true };
    const problem = status === 503 ? 'It runs, but cannot store a sign-up now' : `It answered ${status}`;
    return { problem, isReached: true };
  } catch (error) {
    const isLate = (error as Error).name === 'TimeoutError';
    return { problem: isLate ? 'No answer within two seconds' : 'No answer', isReached: false };
  }
}
