import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs one of PostgreSQL's own programs, and waits for it to exit.
 * @param databaseUrl the database to work on, if the program needs one
 * @returns what it printed
 * @throws if it isn't installed, or if it fails, with its own error message
 */
export async function runPostgresProgram(
  program: 'pg_dump' | 'pg_restore',
  args: string[],
  databaseUrl?: string,
): Promise<string> {
  const { url, password } = databaseUrl === undefined ? { url: undefined, password: '' } : splitPassword(databaseUrl);
  const child = spawn(program, [...args, ...(url === undefined ? [] : [`--dbname=${url}`])], {
    // The password goes into the environment, since every user of the machine can see the arguments.
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
  if (code !== 0) throw new Error(problem.trim().replaceAll(/\s*\n\s*/g, ' ') || `${program} exited with code ${code}`);
  return output;
}

/** In characters. */
const MAX_PROBLEM = 1000;

/** @returns the URL with all its parameters except the password */
function splitPassword(databaseUrl: string): { url: string; password: string } {
  const url = new URL(databaseUrl);
  const password = url.searchParams.get('password') ?? decodeURIComponent(url.password);
  url.password = '';
  url.searchParams.delete('password');
  // A parameter for the driver, which PostgreSQL's programs reject.
  url.searchParams.delete('uselibpqcompat');
  // PostgreSQL's programs don't read a plus sign as a space.
  url.search = url.search.replaceAll('+', '%20');
  return { url: url.href, password };
}
