import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PUBLIC_SITE, PUBLIC_URL, TEST_SITE } from './built-sites.ts';
import { startLocalDesk, startServer } from './server-process.ts';

/** A built site with its newsletter, running on a free port of this machine. */
export type RunningSite = Awaited<ReturnType<typeof startSite>>;

/**
 * @param options.env additional environment variables
 * @param options.build the build folder; by default the build of the test content
 * @param options.dataDir the data folder of a server that has stopped
 * @param options.isDeskLocal starts it as `npm run desk` does: its desk is opened at its own URL, whatever SITE_URL is
 */
export async function startSite(
  options: { env?: Record<string, string>; build?: string; dataDir?: string; isDeskLocal?: boolean } = {},
) {
  // A server that sends email must have a public URL.
  const isPublic = options.env?.SMTP_URL !== undefined;
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'site-test-')));
  const build = options.build ?? (isPublic ? PUBLIC_SITE : TEST_SITE);
  const start = options.isDeskLocal ? startLocalDesk : startServer;
  const server = await start(build, {
    ...(isPublic && { SITE_URL: PUBLIC_URL }),
    DATA_DIR: dataDir,
    // Each test is a different client, so its sign-ups don't count towards another test's limit.
    TRUSTED_PROXY_HEADER: 'X-Test-Client',
    ...options.env,
  });
  return {
    url: server.url,
    pid: server.process.pid!,
    /** The folder with the database and the outbox. */
    dataDir,
    signUps: () => readSignUps(join(dataDir, 'sign-ups.db')),
    /** The lines that the server has printed. */
    said: () => server.output.join('\n'),
    /** Stops it but keeps its data. */
    pause: server.stop,
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The database rows, oldest first, with the field names of the specification's payload. */
function readSignUps(file: string) {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database
      .prepare('select email, role, first_source as source, state from subscribers order by created_at, rowid')
      .all() as { email: string; role: string; source: string; state: string }[];
  } finally {
    database.close();
  }
}
