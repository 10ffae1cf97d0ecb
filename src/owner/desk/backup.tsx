import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { Hono } from 'hono';
import { SECRET_FILE } from '#list/signing-secret.ts';
import { readLastBackup } from '#mail/summary/last-backup.ts';
import { makeBackup } from '../subscribers/backup.ts';
import { restoreFrom } from '../subscribers/restore-backup.ts';
import type { Desk } from './desk-types.ts';
import { ActionButton, Part, showPage, Table } from './frame.tsx';
import { formatMoment, people } from './words.ts';

/** Makes backups, shows them, and tries one. */
export function addBackup(app: Hono, desk: Desk): void {
  const folder = resolve(desk.env.PRIVATE_DIR);
  app.get('/backup', async (context) => {
    const backups = listBackups(folder);
    // With Docker the nightly ones are in another container's folder.
    const last = await readLastBackup(desk.store.db);
    return showPage(context, desk, {
      title: last === undefined ? 'No backup yet' : `Last backup ${formatMoment(last)}`,
      section: '/backup',
      lead: 'A backup is one file with everybody, what they agreed to, and every mail. Your server goes on while it is made.',
      actions: (
        <ActionButton desk={desk} action="/backup" className="button filled">
          Make a backup
        </ActionButton>
      ),
      body: (
        <div className="side">
          <Part title="Those that are there" note={folder}>
            {backups.length === 0 ? <p>None in this folder.</p> : <Backups desk={desk} backups={backups} />}
            {desk.env.DATABASE_URL !== undefined && (
              <p className="quiet">
                A backup of PostgreSQL is tried in an empty database, which the desk does not make: docs/commands.md
                says how.
              </p>
            )}
          </Part>
          <NewMachine desk={desk} />
        </div>
      ),
    });
  });
  app.post('/backup', async (context) => {
    const file = await makeBackup(desk);
    return context.redirect(
      `/backup?${desk.say(`Made ${file}. Copy it to another machine, with the signing secret.`)}`,
      303,
    );
  });
  app.post('/backup/try', async (context) => {
    const { file = '' } = (await context.req.parseBody()) as { file?: string };
    const known = listBackups(folder).find(({ name }) => name === file);
    if (known === undefined) return context.notFound();
    return context.redirect(`/backup?${desk.say(await tryBackup(desk, join(folder, known.name)))}`, 303);
  });
}

type Backup = { name: string; at: number; bytes: number };

function listBackups(folder: string): Backup[] {
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
  return names
    .filter((name) => /\.(db|dump)$/.test(name))
    .map((name) => ({ name, file: statSync(join(folder, name)) }))
    .map(({ name, file }) => ({ name, at: file.mtimeMs, bytes: file.size }))
    .toSorted((one, other) => other.at - one.at);
}

/** Restores a backup into an empty folder, counts the people, and removes the folder. */
async function tryBackup({ env, secret }: Desk, file: string): Promise<string> {
  const empty = mkdtempSync(join(tmpdir(), 'backup-trial-'));
  try {
    const restored = await restoreFrom({ ...env, DATA_DIR: empty, SIGNING_SECRET: secret }, file, false);
    return `${basename(file)} is whole: ${people(restored.people)} came back from it, and were removed again. Your list is as it was.`;
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
}

function Backups({ desk, backups }: { desk: Desk; backups: Backup[] }) {
  return (
    <Table heads={['Made', { number: 'Size' }, { hidden: 'Try it' }]}>
      {backups.slice(0, MAX_SHOWN).map(({ name, at, bytes }) => (
        <tr key={name}>
          <td>
            {formatMoment(at)}
            <small>{name}</small>
          </td>
          <td className="number">{(bytes / 1e6).toFixed(1)} MB</td>
          <td className="number">
            {desk.env.DATABASE_URL === undefined && (
              <ActionButton desk={desk} action="/backup/try" fields={{ file: name }} aria-label={`Try it: ${name}`}>
                Try it
              </ActionButton>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

const MAX_SHOWN = 40;

function NewMachine({ desk: { env } }: { desk: Desk }) {
  return (
    <Part title="On a new machine">
      <div className="stack">
        <p>
          Keep two things elsewhere: a backup, and the signing secret (
          <code>{env.SIGNING_SECRET === undefined ? join(env.DATA_DIR, SECRET_FILE) : 'SIGNING_SECRET in .env'}</code>).
          Without the secret the links in mails already sent stop working.
        </p>
        <p>Install the site there, stop its server, put the secret in its place, then:</p>
        <p className="code">npm run subscribers -- restore-backup FILE</p>
        <p>Start it. Mails that waited are held back, since they may have gone out: Today shows them.</p>
        <p className="quiet">Delete backups that are older than you promise to keep people.</p>
      </div>
    </Part>
  );
}
