import { expect, test } from 'vitest';
import { type Answer, answerOk, startSheet } from '../../../test/newsletter/setup/sheet-sink.ts';
import { sendToSheet } from './sheet.ts';

/** @returns the methods with which the script was called */
async function send(answer: Answer, timeoutMs?: number): Promise<string[]> {
  const sheet = await startSheet();
  sheet.answer = answer;
  await sendToSheet(sheet.url, { id: '1', time: '', erase: [] }, timeoutMs);
  return sheet.methods;
}

test("follows a script's redirect with GET, and a second one to the response", async () => {
  const methods = await send((request, response) => {
    if (request.url === '/second') answerOk(request, response);
    else response.writeHead(302, { Location: request.method === 'POST' ? '/first' : '/second' }).end();
  });
  expect(methods).toEqual(['POST', 'GET', 'GET']);
});

test('ignores a Location header without a redirect', async () => {
  const methods = await send((_, response) => response.writeHead(201, { Location: '/rows/1' }).end('{"ok":true}'));
  expect(methods).toEqual(['POST']);
});

test("doesn't follow a script's redirect to another host", async () => {
  const other = await startSheet();
  const sending = send((_, response) => response.writeHead(302, { Location: other.url }).end());
  await expect(sending).rejects.toThrow('the sheet’s script redirected to another site');
  expect(other.methods).toEqual([]);
});

test.each<[string, Answer]>([
  [
    'a redirect to it',
    (_, response) => response.writeHead(302, { Location: 'https://accounts.google.com/ServiceLogin' }).end(),
  ],
  ['the page itself', (_, response) => response.end('<!doctype html><form action="https://accounts.google.com/x">')],
  ['a status', (_, response) => response.writeHead(401).end()],
])('tells the owner which setting to choose if there is a login page instead of the script: %s', async (_, answer) => {
  await expect(send(answer)).rejects.toThrow('set “Who has access” to “Anyone” (step 4');
});

test.each<[string, Answer, string]>([
  ['with 500', (_, response) => response.writeHead(500).end('{"ok":true}'), 'failed (status 500)'],
  ['with 404', (_, response) => response.writeHead(404).end('<!doctype html>'), 'copy the Web app URL again (step 5'],
  [
    'for lack of a permission',
    (_, response) => response.end('<!doctype html>Exception: Authorization is required to perform that action.'),
    'grant what it asks for (step 5',
  ],
  [
    'because it was not saved',
    (_, response) => response.end('<!doctype html><div>Script function not found: doPost</div>'),
    'the script is missing there: paste and save it (step 2',
  ],
  ['with a page and 200', (_, response) => response.end('<!doctype html>'), 'did not answer with JSON'],
  ['because it is busy', (_, response) => response.end('{"ok":false,"error":"busy"}'), 'refused the message (busy)'],
  ['and hangs up', (request) => request.socket.destroy(), 'cannot be reached (UND_ERR_SOCKET)'],
  ['and never answers', () => undefined, 'no response in time'],
])('reports a script that fails %s', async (_, answer, reason) => {
  await expect(send(answer, 300)).rejects.toThrow(reason);
});
