import type { IncomingMessage, ServerResponse } from 'node:http';
import { ENCODINGS, preferredEncoding } from './site-files.ts';

/** Answers a request at once, or says that it is for the routes. */
export type PreparedAnswers = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * What the routes answer to a plain GET of each of these paths, asked for once and kept. The routes stay the one source
 * of every header, and have the requests that ask for more: a range, a condition, another method.
 * @param fetch the routes
 */
export async function prepareAnswers(
  paths: string[],
  fetch: (request: Request) => Response | Promise<Response>,
): Promise<PreparedAnswers> {
  const answers = new Map<string, Answer>();
  for (const path of paths) {
    for (const encoding of [...ENCODINGS.map((each) => each.encoding), undefined]) {
      const request = new Request(new URL(path, 'http://localhost'), {
        headers: { 'Accept-Encoding': encoding ?? 'identity' },
      });
      answers.set(key(path, encoding), await keep(await fetch(request)));
    }
  }
  return ({ method, url = '', headers }, response) => {
    if (method !== 'GET' || headers['if-none-match'] !== undefined || headers.range !== undefined) return false;
    const query = url.indexOf('?');
    const path = query === -1 ? url : url.slice(0, query);
    const answer = answers.get(key(path, preferredEncoding(headers['accept-encoding'])));
    if (answer === undefined) return false;
    response.writeHead(answer.status, answer.headers).end(answer.body, 'latin1');
    return true;
  };
}

type Answer = {
  status: number;
  /** Names and values in turn. */
  headers: string[];
  /** Its bytes as Latin-1: Node writes a string together with the headers, a buffer after them. */
  body: string;
};

async function keep(response: Response): Promise<Answer> {
  return {
    status: response.status,
    headers: [...response.headers].flat(),
    body: Buffer.from(await response.arrayBuffer()).toString('latin1'),
  };
}

function key(path: string, encoding: string | undefined): string {
  return `${encoding ?? ''} ${path}`;
}
