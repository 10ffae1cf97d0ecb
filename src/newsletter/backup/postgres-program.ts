import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs one of PostgreSQL's own programs, and waits for its end.
 * @param databaseUrl the database that it works on, if it needs one
 * @returns what it printed
 * @throws if it isn't installed, or if it fails, in its own words
 */
export async function runPostgresProgram(
  program: 'pg_dump' | 'pg_restore',
  args: string[],
  databaseUrl?: string,
): Promise<string> {
  const { url, password } = databaseUrl === undefined ? { url: undefined, password: '' } : splitPassword(databaseUrl);
  const child = spawn(program, [...args, ...(url === undefined ? [] : [`--dbname=${url}`])], {
    // The password goes into the environment, since everybody on the machine can see arguments.
    env: { ...process.env, ...(password !== '' && { PGPASSWORD: password }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let problem = '';
  child.stderr.on('data', (chunk) => (problem = (problem + chunk).slice(0, MAX_PROBLEM)));
  child.stdout.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      error.code === 'ENOENT' ? `${program}: not found; install PostgreSQL’s client programs` : error.message,
      { cause: error },
    );
  });
  if (code !== 0) throw new Error(problem.trim().replaceAll(/\s*\n\s*/g, ' ') || `${program} ended with ${code}`);
  return output;
}

/** In characters. */
const MAX_PROBLEM = 1000;

/** @returns the URL with all its parameters but the password */
function splitPassword(databaseUrl: string): { url: string; password: string } {
  const url = new URL(databaseUrl);
  const password = url.searchParams.get('password') ?? decodeURIComponent(url.password);
  url.password = '';
  url.searchParams.delete('password');
  // A parameter of the driver that PostgreSQL's programs refuse.
  url.searchParams.delete('uselibpqcompat');
  // PostgreSQL's programs don't read a plus sign as a space.
  url.search = url.search.replaceAll('+', '%20');
  return { url: url.href, password };
}
