import { join } from 'node:path';
import { TEST_SITE } from './built-sites.ts';
import { type ServerProcess, startProgram } from './server-process.ts';

export type RunningDesk = ServerProcess & {
  /** The printed URL, with its token. */
  address: string;
};

/** Starts the built desk. @param variables its whole environment @param port by default a free one @param build its folder */
export async function startDesk(
  variables: Record<string, string>,
  port = '0',
  build: string | undefined = TEST_SITE,
): Promise<RunningDesk> {
  const args = [join(build, 'server/desk.js'), '--no-open', '--port', port];
  const desk = await startProgram('Desk', args, variables);
  return { ...desk, url: new URL(desk.url).origin, address: desk.url };
}
