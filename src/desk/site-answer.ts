import type { Environment } from '#settings/environment.ts';
import { readSiteUrl } from '#newsletter/updates/send-test-mail.ts';

/** @property problem a sentence, if it does not answer */
export type SiteAnswer = { url: string; at: number; problem: string | undefined };

/** Asks the public site whether it could store a sign-up now, at most once a minute. */
export function createSiteCheck(env: Environment): () => Promise<SiteAnswer> {
  const url = readSiteUrl(env);
  let last: SiteAnswer | undefined;
  return async () => {
    const at = Date.now();
    if (last === undefined || at - last.at > KEPT_MS) last = { url, at, problem: await findProblem(url) };
    return last;
  };
}

const KEPT_MS = 60_000;
const ANSWER_TIMEOUT_MS = 2000;

async function findProblem(url: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const { ok, status } = await fetch(`${url}/healthz`, { signal, redirect: 'error' });
    if (ok) return undefined;
    return status === 503 ? 'It runs, but cannot store a sign-up now' : `It answered ${status}`;
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? 'No answer within two seconds' : 'It does not answer';
  }
}
