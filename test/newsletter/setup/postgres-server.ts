import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openStore } from '#newsletter/database/open-store.ts';
import { freePort } from '../../free-port.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The temporary PostgreSQL; undefined if the machine has none. */
    postgresUrl: string | undefined;
  }
}

const IS_ROOT = process.getuid?.() === 0;

/** PostgreSQL refuses to run as root. */
const NOT_AS_ROOT = IS_ROOT ? ['--reuid=postgres', '--regid=postgres', '--clear-groups', '--'] : ['--'];

/** Starts a temporary PostgreSQL from the machine's binaries, once for all test files. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  project.provide('postgresUrl', undefined);
  const binaries = findBinaries();
  if (binaries === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'newsletter-postgres-'));
  const data = join(folder, 'data');
  if (IS_ROOT) spawnSync('chown', ['postgres:postgres', folder]);
  chmodSync(folder, 0o755);
  const initdb = [join(binaries, 'initdb'), '-D', data, '-U', 'postgres', '--auth=trust', '--no-sync'];
  const made = spawnSync('setpriv', [...NOT_AS_ROOT, ...initdb], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed:\n${made.stderr}`);

  const port = await freePort();
  const options = [`-D${data}`, `-p${port}`, `-k${folder}`, '--listen_addresses=127.0.0.1', '--max_connections=200'];
  // It needn't survive a power loss.
  options.push('--fsync=off', '--autovacuum=off');
  const server = spawn('setpriv', [...NOT_AS_ROOT, join(binaries, 'postgres'), ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await isReady(server.stderr);
  server.stderr.resume();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await makeTemplate(url);
  project.provide('postgresUrl', url);
  return async () => {
    const exited = once(server, 'exit');
    // "Fast" doesn't wait for clients to disconnect.
    server.kill('SIGINT');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Migrates the database that each test's own is copied from, since migrating each would take 0.2 s. */
async function makeTemplate(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('create database migrated');
  await client.end();
  const store = await openStore({ databaseUrl: new URL('/migrated', url).href, dataDir: tmpdir() });
  await store.close();
}

function findBinaries(): string | undefined {
  const versions = '/usr/lib/postgresql';
  if (!existsSync(versions)) return undefined;
  return readdirSync(versions)
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(versions, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')));
}

async function isReady(output: NodeJS.ReadableStream): Promise<void> {
  let printed = '';
  for await (const chunk of output) {
    printed += String(chunk);
    if (printed.includes('database system is ready to accept connections')) break;
    if (printed.includes('FATAL')) throw new Error(`PostgreSQL did not start:\n${printed}`);
  }
}
