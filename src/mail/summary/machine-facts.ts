import { statfs } from 'node:fs/promises';
import { connect } from 'node:tls';
import { sql } from 'kysely';
import type { Environment } from '#shared/environment.ts';
import { explainCodes } from '#shared/explain-codes.ts';
import packageFile from '../../../package.json' with { type: 'json' };
import type { Store } from '#store/open-store.ts';
import { readLastBackup } from './last-backup.ts';

/** Facts about the machine that may need the owner. */
export type MachineFacts = {
  /** The disk that holds DATA_DIR, in bytes. */
  disk: { free: number; total: number };
  /** When the backup command last finished, as an ISO time. */
  lastBackupAt: string | undefined;
  /** The certificate of SITE_URL; undefined where that is not https. */
  certificate: Certificate | undefined;
  clock: {
    /** In milliseconds since 1970. */
    now: number;
    /** How far it is ahead of PostgreSQL's clock, in milliseconds; undefined on SQLite, which has none. */
    ahead: number | undefined;
  };
  version: { site: string; node: string };
};

/** When it ends, in milliseconds since 1970, or why it could not be read. */
export type Certificate = { endsAt: number } | { problem: string };

/** @param now milliseconds since 1970 */
export async function readMachineFacts(store: Store, env: Environment, now: number): Promise<MachineFacts> {
  const { bavail, blocks, bsize } = await statfs(env.DATA_DIR);
  return {
    disk: { free: bavail * bsize, total: blocks * bsize },
    lastBackupAt: await readLastBackup(store.db),
    certificate: env.SITE_URL?.startsWith('https://') ? await readCertificate(env.SITE_URL) : undefined,
    clock: { now, ahead: await readClockLead(store) },
    version: { site: packageFile.version, node: process.versions.node },
  };
}

/** @param siteUrl an https origin */
async function readCertificate(siteUrl: string): Promise<Certificate> {
  const { hostname, port } = new URL(siteUrl);
  return new Promise((resolve) => {
    // A certificate that has ended is read too. No request is sent.
    const socket = connect({
      host: hostname,
      port: Number(port || 443),
      servername: hostname,
      rejectUnauthorized: false,
    });
    const end = (certificate: Certificate) => {
      socket.destroy();
      resolve(certificate);
    };
    socket.setTimeout(CERTIFICATE_MS, () => end({ problem: 'no answer in time' }));
    socket.once('error', ({ code, name }: NodeJS.ErrnoException) => end({ problem: explainCodes(code ?? name) }));
    socket.once('secureConnect', () => end({ endsAt: Date.parse(socket.getPeerCertificate().valid_to) }));
  });
}

const CERTIFICATE_MS = 10_000;

async function readClockLead(store: Store): Promise<number | undefined> {
  if (store.kind === 'sqlite') return undefined;
  const before = Date.now();
  const { rows } = await sql<{ at: string }>`select extract(epoch from clock_timestamp()) * 1000 as at`.execute(
    store.db,
  );
  const between = (before + Date.now()) / 2;
  return Math.round(between - Number(rows[0]?.at));
}
