import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Hono } from 'hono';
import { SECRET_FILE } from '#newsletter/subscribers/signing-secret.ts';
import { readLastBackup } from '#newsletter/backup/last-backup.ts';
import { makeBackup } from '#newsletter/backup/make-backup.ts';
import { formatMoment, formatPeople } from '#newsletter/format.ts';
import { type FormDesk, handleAction } from './actions.ts';
import type { Desk } from './desk-types.ts';
import { ActionButton, Panel, Table } from './ui.tsx';

type BackupDesk = FormDesk & Pick<Desk, 'store' | 'env' | 'secret'> & { places: Pick<Desk['places'], 'isInContainer'> };

/** Makes backups, and shows them. */
export function addBackup(app: Hono, desk: BackupDesk): void {
  const { env, store, places } = desk;
  const folder = resolve(env.PRIVATE_DIR);
  const findBackup = (name: string) => listBackups(folder).find((each) => each.name === name);
  app.get('/backup', async (context) => {
    const last = await readLastBackup(store.db);
    return context.render(
      <div className="side">
        <Panel title="On this machine" note={folder}>
          <Backups backups={listBackups(folder)} />
          {places.isInContainer && (
            <p>
              Another container makes a copy each night at three, and keeps it for 30 days. To fetch them all, type in
              the project’s folder on the server: <code>docker compose cp backup:/backups private</code>
            </p>
          )}
        </Panel>
        <NewMachine secret={env.SIGNING_SECRET ? 'SIGNING_SECRET in .env' : join(env.DATA_DIR, SECRET_FILE)} />
      </div>,
      {
        title: last === undefined ? 'No backup yet' : `Last backup ${formatMoment(last)}`,
        lead: 'A backup is one file with everybody, what they agreed to, and every email. Your server keeps running while it is made.',
        actions: <ActionButton kind="filled">Make a backup</ActionButton>,
      },
    );
  });
  app.get('/backup/files/:name', (context) => {
    const backup = findBackup(context.req.param('name'));
    if (backup === undefined) return context.notFound();
    const bytes = Readable.toWeb(createReadStream(join(folder, backup.name)));
    return context.body(bytes as ReadableStream, 200, downloadAs(backup.name));
  });
  app.get('/backup/signing-secret', (context) => context.body(`${desk.secret}\n`, 200, downloadAs(SECRET_FILE)));
  const make = async () => {
    const made = await makeBackup(desk);
    return {
      notice: `Made ${made.file}, with ${formatPeople(made.people)}, and checked it. Download it to another machine, with the signing secret.`,
    };
  };
  app.post('/backup', handleAction(desk, make));
}

/** @param name without quotation marks */
function downloadAs(name: string): Record<string, string> {
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
            <a href={`/backup/files/${name}`}>{name}</a>
          </small>
        </>,
        bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`,
      ])}
      empty="None in this folder."
    />
  );
}

const MAX_SHOWN = 40;

type NewMachineProps = { secret: string };

/** @property secret where the signing secret is */
function NewMachine({ secret }: NewMachineProps) {
  return (
    <Panel title="On a new machine">
      <p>
        Keep two things elsewhere: a backup, and <a href="/backup/signing-secret">the signing secret</a> (
        <code>{secret}</code>). Without the secret the links in emails already sent stop working.
      </p>
      <p>
        Follow docs/owner/when-something-breaks.md there. Emails that waited are held there, since they may have been
        sent already: Today shows them.
      </p>
      <p className="quiet">
        Backups and exports in this folder are deleted after thirty days, as your privacy policy says. Copies that you
        keep elsewhere are yours to delete.
      </p>
    </Panel>
  );
}
