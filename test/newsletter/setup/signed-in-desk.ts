import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ServerProcess } from '../../server-process.ts';
import { signInToDesk } from '../../sign-in.ts';
import { anotherVisitor, startBuiltServer } from './built-server.ts';
import { type Place, waitUntil } from './running-newsletter.ts';

export const CLARA = 'clara@example.org';

export type Asked = { path: string; body?: Record<string, string>; headers?: Record<string, string>; method?: string };

/** A server with a desk that Clara may open. */
export type Desk = Place & {
  running: ServerProcess;
  url: string;
  ask: (asked: Asked) => Promise<Response>;
  owner: Headers;
  /** Its emails before the test. */
  earlier: string[];
};
export type Headers = { Cookie: string; Origin: string };

/** A server for this test only. */
export async function startDesk(place: Place, variables: Record<string, string> = {}, origin?: string): Promise<Desk> {
  return signIn(place, await startBuiltServer({ ...place, ...variables }), variables, origin);
}

export async function signIn(
  place: Place,
  running: ServerProcess,
  variables: Record<string, string>,
  origin?: string,
): Promise<Desk> {
  const { url } = running;
  const client = anotherVisitor();
  const ask = ({ path, body, headers, method = body ? 'POST' : 'GET' }: Asked) =>
    fetch(url + path, {
      method,
      headers: { Origin: origin ?? url, ...client, ...headers },
      redirect: 'manual',
      ...(body && { body: new URLSearchParams(body) }),
    });
  const server = { url, dataDir: place.DATA_DIR, env: { ...place, ...variables }, ...(origin && { origin }) };
  const owner = await signInToDesk(server);
  await ask({ path: '/desk/settings', body: { action: 'add-person', person: CLARA }, headers: owner });
  return { ...place, running, url, ask, owner, earlier: listMails(place) };
}

/** The sign-in emails in the outbox since the desk was opened, oldest first. */
export async function readLinks(desk: Desk, count: number): Promise<{ link: string; code: string }[]> {
  const read = () =>
    listMails(desk)
      .filter((file) => !desk.earlier.includes(file))
      .map((file) => readFileSync(join(desk.DATA_DIR, 'outbox', file), 'utf8'))
      .map((mail) => mail.replaceAll('=\r\n', '').replaceAll('=3D', '='))
      .flatMap((mail) => {
        const link = /http\S+(\/desk\/sign-in\/[\w-]{43})/.exec(mail)?.[1];
        const code = /asked: (\w{4} \w{4})/.exec(mail.replaceAll('\r\n', ' '))?.[1];
        return link && code ? [{ link, code }] : [];
      });
  await waitUntil(() => expect(read()).toHaveLength(count));
  return read();
}

export function listMails({ DATA_DIR }: Place): string[] {
  const outbox = join(DATA_DIR, 'outbox');
  return existsSync(outbox) ? readdirSync(outbox).filter((file) => file.endsWith('.eml')) : [];
}

/** Asks for a link by email. @returns the cookie of the asking browser */
export async function askForLink({ ask }: Desk, headers: Record<string, string> = {}, email = CLARA): Promise<string> {
  const response = await ask({ path: '/desk/sign-in', body: { email }, headers });
  expect(response.status).toBe(303);
  return response.headers.get('Set-Cookie')!.split(';', 1)[0]!;
}

export async function isIn({ ask }: Desk, headers: Record<string, string>): Promise<boolean> {
  return (await ask({ path: '/desk', headers })).status === 200;
}
