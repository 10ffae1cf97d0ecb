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
  const child = spawn(program, words, {
    // By the environment, since arguments can be seen by everybody on the machine.
    env: { ...process.env, ...connectionOf(databaseUrl) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit').catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      error.code === 'ENOENT' ? `${program}: not found; install PostgreSQL's client programs` : error.message,
      { cause: error },
    );
  });
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

function connectionOf(databaseUrl: string): Record<string, string> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  return {
    PGHOST: decodeURIComponent(hostname),
    PGPORT: port || '5432',
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
  };
}
