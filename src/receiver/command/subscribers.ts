/** `npm run subscribers`: the owner's commands over the sign-ups. They may be used while the server runs. */
import { closeSync, existsSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { type Environment, parseEnvironment } from '#shared/environment.ts';
import { removeMailFiles } from '../deliveries/mail-transport.ts';
import { listUnsentDeliveries, retryDeliveries } from '../deliveries/retry-deliveries.ts';
import { openSigningSecret } from '../signing-secret.ts';
import { openStore, type Store, STORE_FILE } from '../store/open-store.ts';
import type { Delivery } from '../store/schema.ts';
import { erase, findErasure, purge } from '../subscriptions/erase.ts';
import {
  countSubscribers,
  findSubscriber,
  readAllSubscribers,
  readSubscriber,
  type SubscriberWithConsents,
} from '../subscriptions/read-subscribers.ts';
import { unsubscribe } from '../subscriptions/unsubscribe.ts';
import { backupStore } from './backup-store.ts';
import { csvLine } from './csv.ts';
import { progressBar } from './progress-bar.ts';
import { table } from './table.ts';

/** Done; could not be done, or nobody found; not understood. */
const EXIT = { done: 0, failed: 1, usage: 2 } as const;

async function run(argv: string[]): Promise<number> {
  try {
    await program().parseAsync(argv);
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT.failed;
  }
}

function program(): Command {
  const command = new Command('subscribers')
    .description(
      'Reads, exports, erases and backs up the sign-ups. Uses DATA_DIR, DATABASE_URL and SIGNING_SECRET as the server does.',
    )
    .exitOverride()
    .configureHelp({ showGlobalOptions: true });
  const add = (name: string, description: string) =>
    command.command(name).description(description).option('--json', 'answer in JSON');

  add('list', 'everybody, the oldest sign-up first').action(({ json }: Answer) =>
    withStore(({ store }) => list(store, json)),
  );
  add('show <address>', 'everything kept of one person, with the evidence of consent').action(
    (address: string, { json }: Answer) => withStore((opened) => show(opened, address, json)),
  );
  add('export', 'everybody with the evidence of consent')
    .addOption(
      new Option('--format <format>', 'csv opens safely in a spreadsheet').choices(['csv', 'json']).default('csv'),
    )
    .option('--file <file>', 'write into this file instead of to the terminal')
    .action((options: ExportOptions) => withStore(({ store }) => exportAll(store, options)));
  add('unsubscribe <address>', 'withdraw the consent of one person').action((address: string, { json }: Answer) =>
    withStore(({ store }) => unsubscribeOne(store, address, json)),
  );
  add('erase <address>', 'remove one person everywhere, the sheet included; only a keyed hash stays').action(
    (address: string, { json }: Answer) => withStore((opened) => eraseOne(opened, address, json)),
  );
  add('purge', 'forget whom the privacy policy does not let us keep; runs daily by itself')
    .option('--dry-run', 'only tell who would go')
    .action((options: Answer & { dryRun?: boolean }) => withStore((opened) => purgeNow(opened, options)));
  add('deliveries', 'mails, notices and sheet rows that have not gone out yet')
    .option('--failed', 'only those given up')
    .action((options: Answer & { failed?: boolean }) => withStore(({ store }) => deliveries(store, options)));
  add('retry <id>', 'try a delivery again now, or "all" that failed or wait').action((id: string, { json }: Answer) =>
    withStore(({ store }) => retry(store, id, json)),
  );
  add('backup <file>', 'write the whole store into a new file').action((file: string, { json }: Answer) =>
    withStore(({ env }) => backUp(env, file, json)),
  );
  return command;
}

type Answer = { json?: boolean };
type ExportOptions = Answer & { format: 'csv' | 'json'; file?: string };
type Opened = { env: Environment; store: Store; secret: string; removeFiles: (ids: string[]) => Promise<void> };

async function withStore(work: (opened: Opened) => Promise<void>): Promise<void> {
  const env = parseEnvironment(process.env);
  if (env.DATABASE_URL === undefined && !existsSync(join(env.DATA_DIR, STORE_FILE))) {
    throw new Error(`No sign-ups are kept in ${env.DATA_DIR} yet (set DATA_DIR or DATABASE_URL as for the server).`);
  }
  const store = await openStore({ databaseUrl: env.DATABASE_URL, dataDir: env.DATA_DIR });
  try {
    const secret = await openSigningSecret(store, env.DATA_DIR, env.SIGNING_SECRET);
    const removeFiles = (ids: string[]) => removeMailFiles(join(env.DATA_DIR, 'outbox'), ids);
    await work({ env, store, secret, removeFiles });
  } finally {
    await store.close();
  }
}

async function list(store: Store, json = false): Promise<void> {
  const people: SubscriberWithConsents[] = [];
  for await (const batch of readAllSubscribers(store.db)) people.push(...batch);
  if (json) return print(people);
  write(
    table(
      ['Address', 'State', 'Role', 'Signed up', 'Source'],
      people.map(({ address, state, role, created_at, first_source }) => [
        address,
        state,
        role || '-',
        forPeople(created_at),
        first_source,
      ]),
    ),
  );
}

async function show({ store, secret }: Opened, address: string, json = false): Promise<void> {
  const person = await readSubscriber(store.db, address);
  if (person === undefined) {
    const erasedAt = await findErasure(store.db, address, secret);
    throw new Error(
      erasedAt ? `Erased on ${forPeople(erasedAt)}; nothing else is kept.` : 'Nobody with this address is known.',
    );
  }
  if (json) return print(person);
  write(
    table(
      ['Address', person.address],
      [
        ['Normalised', person.normalised_address],
        ['State', person.state],
        ['Role', person.role || '-'],
        ['First source', person.first_source],
        ['Signed up', forPeople(person.created_at)],
        ['State since', forPeople(person.state_changed_at)],
        ['Last engagement', forPeople(person.engaged_at)],
      ],
    ),
  );
  write('\nConsent\n');
  write(
    table(
      ['When', 'What', 'Form', 'Source', 'Wording'],
      person.consents.map(({ at, event, form, source, wording, wording_version }) => [
        forPeople(at),
        event,
        form ?? '-',
        source,
        wording ? `${wording} (${wording_version})` : '-',
      ]),
    ),
  );
  write('\nDeliveries\n');
  write(deliveryTable(person.deliveries));
}

async function exportAll(store: Store, { format, json, file }: ExportOptions): Promise<void> {
  const total = await countSubscribers(store.db);
  const bar = progressBar('Exporting', process.stderr);
  const draft = file && `${file}.unfinished`;
  const output = draft === undefined ? undefined : openSync(draft, 'w', 0o600);
  const put = (text: string) => (output === undefined ? write(text) : void writeSync(output, text));
  try {
    const isJson = json === true || format === 'json';
    // The mark at the start tells a spreadsheet that this is UTF-8.
    put(isJson ? '[' : `\uFEFF${csvLine(CSV_COLUMNS)}`);
    let done = 0;
    for await (const batch of readAllSubscribers(store.db)) {
      for (const person of batch) {
        put(isJson ? `${done === 0 ? '\n' : ',\n'}${JSON.stringify(person)}` : csvLine(csvCells(person)));
        done += 1;
      }
      bar.show(done, total);
    }
    if (isJson) put('\n]\n');
    bar.end();
  } finally {
    if (output !== undefined) closeSync(output);
  }
  if (draft !== undefined && file !== undefined) {
    renameSync(draft, file);
    process.stderr.write(`${total} written to ${file}\n`);
  }
}

const CSV_COLUMNS = [
  'address',
  'state',
  'role',
  'first source',
  'signed up',
  'consent given',
  'consent wording',
  'wording version',
  'form',
  'confirmed',
  'withdrawn',
];

function csvCells(person: SubscriberWithConsents): (string | null | undefined)[] {
  const last = (event: string) => person.consents.findLast((consent) => consent.event === event);
  const given = last('given');
  return [
    person.address,
    person.state,
    person.role,
    person.first_source,
    person.created_at,
    given?.at,
    given?.wording,
    given?.wording_version,
    given?.form,
    last('confirmed')?.at,
    last('withdrawn')?.at,
  ];
}

async function unsubscribeOne(store: Store, address: string, json = false): Promise<void> {
  const person = await findSubscriber(store.db, address);
  if (person === undefined) throw new Error('Nobody with this address is known.');
  const changed = await unsubscribe(store, person.id, 'command', Date.now());
  if (json) return print({ unsubscribed: true, changed });
  write(changed ? 'Unsubscribed.\n' : 'Was unsubscribed already.\n');
}

async function eraseOne({ env, store, secret, removeFiles }: Opened, address: string, json = false): Promise<void> {
  const found = await erase(store, address, { secret, mailFiles: { remove: removeFiles }, now: Date.now() });
  if (!found) throw new Error('Nobody with this address is known.');
  if (json) return print({ erased: true });
  write('Erased here.');
  if (env.SHEET_URL) write(' The sheet is told by the running server.');
  write(' Notices in your own mailbox and older backups are yours to delete.\n');
}

async function purgeNow({ store, secret, removeFiles }: Opened, options: Answer & { dryRun?: boolean }): Promise<void> {
  const bar = progressBar('Purging', process.stderr);
  const { dryRun = false, json } = options;
  const gone = await purge(store, {
    secret,
    mailFiles: { remove: removeFiles },
    now: Date.now(),
    dryRun,
    onProgress: bar.show,
  });
  bar.end();
  if (json) return print(gone.map(({ subscriber, reason }) => ({ address: subscriber.address, reason })));
  if (gone.length > 0) {
    write(
      table(
        ['Address', 'Last engagement', 'Reason'],
        gone.map(({ subscriber, reason }) => [subscriber.address, forPeople(subscriber.engaged_at), reason]),
      ),
    );
  }
  write(`${gone.length} ${dryRun ? 'would be forgotten' : 'forgotten'}.\n`);
}

async function deliveries(store: Store, { failed = false, json }: Answer & { failed?: boolean }): Promise<void> {
  const unsent = await listUnsentDeliveries(store, { onlyFailed: failed });
  if (json) return print(unsent);
  write(unsent.length === 0 ? 'Nothing waits.\n' : deliveryTable(unsent));
}

function deliveryTable(rows: Delivery[]): string {
  return table(
    ['Id', 'Kind', 'State', 'Attempts', 'Queued', 'Next try', 'Last error'],
    rows.map(({ id, kind, state, attempts, queued_at, due_at, last_error }) => [
      id,
      kind,
      state,
      String(attempts),
      forPeople(queued_at),
      state === 'waiting' ? forPeople(due_at) : '-',
      last_error ?? '-',
    ]),
  );
}

async function retry(store: Store, id: string, json = false): Promise<void> {
  const retried = await retryDeliveries(store, id, Date.now());
  if (retried === 0 && id !== 'all') throw new Error('No delivery with this id failed or waits.');
  if (json) return print({ retried });
  write(`${retried} will be tried again by the running server within seconds.\n`);
}

async function backUp(env: Environment, file: string, json = false): Promise<void> {
  const bar = progressBar('Backing up', process.stderr);
  await backupStore(env, file, bar.show);
  bar.end();
  if (json) return print({ file });
  write(
    `Backed up to ${file}. Keep the signing secret (${join(env.DATA_DIR, 'signing-secret')} or SIGNING_SECRET) with it.\n`,
  );
}

/** `2026-03-01 14:05`, in UTC. */
function forPeople(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}

function print(value: unknown): void {
  write(`${JSON.stringify(value, undefined, 2)}\n`);
}

function write(text: string): void {
  process.stdout.write(text);
}

// Last, since by now everything above is there.
process.exitCode = await run(process.argv);
