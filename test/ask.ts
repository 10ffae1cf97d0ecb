import { once } from 'node:events';
import { type IncomingMessage, request, type RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';

/** Sends a request with Node's own client, with any headers, on a new connection. With a body it is a POST. */
export async function ask(url: string, { body, ...options }: RequestOptions & { body?: string | undefined } = {}) {
  const asked = request(url, { method: body === undefined ? 'GET' : 'POST', agent: false, ...options }).end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, headers: response.headers, text: await text(response) };
}
