import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { listenOnFreePort } from '../../listen-on-free-port.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;
export type Sheet = { url: string; posts: Record<string, unknown>[]; methods: string[]; answer: Answer };

export const answerOk: Answer = (_, response) =>
  response.setHeader('Content-Type', 'application/json').end('{"ok":true}');

/** A server in place of the sheet's script, which keeps every message and responds as it is told. */
export async function startSheet(): Promise<Sheet> {
  const server = createServer((request, response) => {
    sheet.methods.push(request.method ?? '');
    const take = (body: string) => {
      if (request.method === 'POST') sheet.posts.push(JSON.parse(body));
      sheet.answer(request, response);
    };
    // A stopping newsletter closes the connection.
    text(request).then(take, () => undefined);
  });
  const { url, stop } = await listenOnFreePort(server);
  onTestFinished(stop);
  const sheet: Sheet = { url: `${url}/exec`, posts: [], methods: [], answer: answerOk };
  return sheet;
}
