import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Hono } from 'hono';
import { SECRET_FILE } from '#newsletter/subscribers/signing-secret.ts';
import { readLastBackup } from '#newsletter/backup/last-backup.ts';
import { KEPT_DAYS } from '#newsletter/backup/private-file.ts';
import { makeBackup } from '#newsletter/backup/make-backup.ts';
import { formatMoment, formatPeople } from '#newsletter/format.ts';
import { type FormDesk, handleAction } from './handle-forms.ts';
import type { Desk } from './desk-types.ts';
import { runJob } from './jobs.ts';
import { ActionButton, Panel, Table } from './ui.tsx';

type BackupDesk = FormDesk & Pick<Desk, 'store' | 'env' | 'secret' | 'jobs'>;

/** Adds the page that makes and lists backups. */
export function addBackup(app: Hono, desk: BackupDesk): void {
  const { env, store } = desk;
  const folder = resolve(env.PRIVATE_DIR);
  const findBackup = (name: string) => listBackups(folder).find((each) => each.name === name);
  app.get('/desk/backup', async (context) => {
    const last = await readLastBackup(store.db);
    return context.render(
      <div className="side">
        <Panel title="On this machine" note={folder}>
          <Backups backups={listBackups(folder)} />
          <p className="quiet">
            The site makes a backup every night at three, and deletes those older than {KEPT_DAYS} days.
          </p>
        </Panel>
        <NewMachine secret={env.SIGNING_SECRET ? 'SIGNING_SECRET in .env' : join(env.DATA_DIR, SECRET_FILE)} />
      </div>,
      {
        title: last === undefined ? 'No backup yet' : `Last backup ${formatMoment(last)}`,
        lead: 'A backup is one file with your list, what people agreed to, and everything saved on the desk: emails, text, pictures and settings. Your server keeps running while it is made.',
        actions: <ActionButton kind="filled">Make a backup</ActionButton>,
      },
    );
  });
  app.get('/desk/backup/files/:name', (context) => {
    const backup = findBackup(context.req.param('name'));
    if (backup === undefined) return context.notFound();
    const bytes = Readable.toWeb(createReadStream(join(folder, backup.name)));
    return context.body(bytes as ReadableStream, 200, makeDownloadHeaders(backup.name));
  });
  app.get('/desk/backup/signing-secret', (context) =>
    context.body(`${desk.secret}\n`, 200, makeDownloadHeaders(SECRET_FILE)),
  );
  const make = async () => {
    const made = await makeBackup(desk);
    return {
      to: '/desk/backup',
      notice: `Made ${made.file}, with ${formatPeople(made.people)}, and checked it. Download it to another machine, with the signing secret.`,
    };
  };
  const start = () => runJob(desk, { kind: 'backup', title: 'Making a backup' }, make);
  app.post('/desk/backup', handleAction(desk, start));
}

/** @param name without quotation marks */
function makeDownloadHeaders(name: string): Record<string, string> {
  return { 'Content-Type': 'application/octet-stream', 'Content-Disposition': `attachment; filename="${name}"` };
}

function listBackups(folder: string) {
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
  return names
    .filter((name) => /^[\w.-]+\.(db|dump)$/.test(name))
    .map((name) => {
      const { mtimeMs, size } = statSync(join(folder, name));
      return { name, at: mtimeMs, bytes: size };
    })
    .toSorted((one, other) => other.at - one.at);
}

type BackupsProps = { backups: ReturnType<typeof listBackups> };

function Backups({ backups }: BackupsProps) {
  return (
    <Table
      columns={['Made', 'Size']}
      right={1}
      rows={backups.slice(0, MAX_SHOWN).map(({ name, at, bytes }) => [
        <>
          {formatMoment(at)}
          <small>
            <a href={`/desk/backup/files/${name}`}>{name}</a>
          </small>
        </>,
        bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`,
      ])}
      empty="There are no backups in this folder."
    />
  );
}

const MAX_SHOWN = 100;

type NewMachineProps = { secret: string };

/** @property secret where the signing secret is stored */
function NewMachine({ secret }: NewMachineProps) {
  return (
    <Panel title="On a new machine">
      <p>
        Keep two things elsewhere: a backup, and <a href="/desk/backup/signing-secret">the signing secret</a> (
        <code>{secret}</code>). Without the secret, links in emails already sent stop working.
      </p>
      <p>
        To set up a new machine, follow docs/owner/when-something-breaks.md. Emails that were waiting when the backup
        was made are held, because they may have been sent since then. Today lists them.
      </p>
    </Panel>
  );
}
