import { openSources } from '#newsletter/open-list.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { makeTerminalLink } from '#sign-in/sign-in-links.ts';

/** A server with a desk. @property origin the origin at which the desk is opened, if that isn't `url` */
type DeskServer = { url: string; dataDir: string; env?: Record<string, string>; origin?: string };

/** Makes a link as `npm run desk` does. */
export async function makeDeskLink({ url, dataDir, env }: DeskServer): Promise<string> {
  const sources = await openSources(parseEnvironment({ ...env, DATA_DIR: dataDir }));
  try {
    return `${url}/desk/sign-in/${await makeTerminalLink(sources, Date.now())}`;
  } finally {
    await sources.store.close();
  }
}

/** Signs in with a link from the terminal. @returns the headers of a signed-in browser's requests */
export async function signInToDesk(server: DeskServer): Promise<{ Cookie: string; Origin: string }> {
  const Origin = server.origin ?? server.url;
  const response = await fetch(await makeDeskLink(server), { method: 'POST', headers: { Origin }, redirect: 'manual' });
  const cookie = response.headers.get('Set-Cookie');
  if (cookie === null) throw new Error(`Nobody was signed in: ${response.status}, ${await response.text()}`);
  return { Cookie: cookie.split(';', 1)[0]!, Origin };
}
