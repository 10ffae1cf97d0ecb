import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs one of PostgreSQL's own programs on a database, and waits for its end.
 * @throws when the machine lacks it, or when it fails; it has said why on the terminal
 */
export async function runPostgresProgram(
  program: 'pg_dump' | 'pg_restore',
  databaseUrl: string,
  words: string[],
): Promise<void> {
  const { address, password } = splitPassword(databaseUrl);
  const child = spawn(program, [...words, `--dbname=${address}`], {
    // The password by the environment, since arguments can be seen by everybody on the machine.
    env: { ...process.env, ...(password !== '' && { PGPASSWORD: password }) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit').catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      error.code === 'ENOENT' ? `${program}: not found; install PostgreSQL’s client programs` : error.message,
      { cause: error },
    );
  });
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

/** @returns the address with all its parameters but the password */
function splitPassword(databaseUrl: string): { address: string; password: string } {
  const url = new URL(databaseUrl);
  const password = url.searchParams.get('password') ?? decodeURIComponent(url.password);
  url.password = '';
  url.searchParams.delete('password');
  // A word of the driver's own, which PostgreSQL's programs refuse.
  url.searchParams.delete('uselibpqcompat');
  // PostgreSQL's programs read a plus sign as itself, and not as a space.
  url.search = url.search.replaceAll('+', '%20');
  return { address: url.href, password };
}
