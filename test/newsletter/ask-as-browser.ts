import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

export const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';
export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Asks as a browser does, with these headers beside. */
export async function ask(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const asked = request(url, { method, headers: { 'User-Agent': SAFARI, ...headers } }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return { status: answer.statusCode, headers: answer.headers };
}
