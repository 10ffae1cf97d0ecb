import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { SERVER_FLAGS } from '../tools/setup/server-flags.mjs';

/** The built site with its real receiver, running on a free port of this machine. */
export type RunningSite = {
  url: string;
  pid: number;
  /** Holds the sign-ups and the mails. */
  dataDir: string;
  /** What is in the database, oldest first, in the terms of the specification's payload. */
  signUps: () => { email: string; role: string; source: string; state: string }[];
  /** What the server has printed so far. */
  said: () => string;
  stop: () => Promise<void>;
};

/**
 * @param options.env variables beside those that every test site gets
 * @param options.build the folder of the build, by default the project's own
 */
export async function startSite(options: { env?: Record<string, string>; build?: string } = {}): Promise<RunningSite> {
  const build = options.build ?? fileURLToPath(new URL('../dist', import.meta.url));
  const dataDir = await mkdtemp(join(tmpdir(), 'site-test-'));
  const server = spawn(process.execPath, [...SERVER_FLAGS, join(build, 'server/main.js')], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      // Each test says who it is, so that one test's sign-ups do not count against the next one's.
      TRUSTED_PROXY_HEADER: 'X-Test-Client',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(server, 'exit');
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const address = /http:\/\/\S+/.exec(said)?.[0];
      if (address) resolve(address);
    });
    void exited.then(() => reject(new Error('The server ended before it said where it is')));
  });
  return {
    url,
    pid: server.pid!,
    dataDir,
    signUps: () => readSignUps(join(dataDir, 'sign-ups.db')),
    said: () => said,
    stop: async () => {
      server.kill();
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function readSignUps(file: string) {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database
      .prepare(
        'select address as email, role, first_source as source, state from subscribers order by created_at, rowid',
      )
      .all() as ReturnType<RunningSite['signUps']>;
  } finally {
    database.close();
  }
}
