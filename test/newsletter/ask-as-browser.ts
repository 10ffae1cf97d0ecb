import { ask } from '../ask.ts';

export const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';
export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Sends a request as a browser does, with these headers added. */
export function askAsBrowser(url: string, headers: Record<string, string> = {}, method = 'GET') {
  return ask(url, { method, headers: { 'User-Agent': SAFARI, ...headers } });
}
