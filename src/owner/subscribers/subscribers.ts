/** `npm run subscribers`: the owner's commands over the sign-ups. They may be used while the server runs. */
import { Command, Option } from 'commander';
import { SUBSCRIBER_STATES, type SubscriberState } from '#list/read-subscribers.ts';
import { backUp } from './backup.ts';
import { deliveries, retry } from './deliveries.ts';
import { type ExportOptions, exportList } from './export-list.ts';
import { importList } from './import-list.ts';
import { eraseOne, list, restorePeople, show, unsubscribeOne } from './people.ts';
import type { Answer } from '../command/print.ts';
import { purgeNow } from './purge-command.ts';
import type { ImportOptions } from './read-person.ts';
import { restoreBackup } from './restore-backup.ts';
import { runCommand, wholeNumber } from '../command/run-command.ts';
import { status } from './status.ts';
import { withStore } from '../command/with-store.ts';

function program(): Command {
  const command = new Command('subscribers')
    .description(
      'Reads, exports, erases and backs up the sign-ups. Uses DATA_DIR, DATABASE_URL and SIGNING_SECRET as the server does.',
    )
    .exitOverride()
    .configureHelp({ showGlobalOptions: true });
  const add = (name: string, description: string) =>
    command.command(name).description(description).option('--json', 'answer in JSON');
  addReading(add);
  addChanging(add);
  addOperation(add);
  return command;
}

type Add = (name: string, description: string) => Command;

function addReading(add: Add): void {
  add('list', 'everybody, the oldest sign-up first')
    .addOption(new Option('--state <state>', 'only people in this state').choices(SUBSCRIBER_STATES))
    .action((options: Answer & { state?: SubscriberState }) => withStore(({ store }) => list(store, options)));
  add('show <address>', 'everything kept of one person, with the evidence of consent').action(
    (address: string, options: Answer) => withStore((opened) => show(opened, address, options)),
  );
  add('export', 'subscribed people with the evidence of consent')
    .addOption(
      new Option('--format <format>', 'csv opens safely in a spreadsheet').choices(['csv', 'json']).default('csv'),
    )
    .addOption(
      new Option('--state <state>', 'people in this state, or "all"')
        .choices([...SUBSCRIBER_STATES, 'all'])
        .default('subscribed'),
    )
    .option('--file <file>', 'write into this new file, or with - to the standard output; by default into private/')
    .action((options: ExportOptions) => withStore((opened) => exportList(opened, options)));
  add('status', 'how the list and its server are doing, and what needs you').action((options: Answer) =>
    withStore((opened) => status(opened, options)),
  );
}

function addChanging(add: Add): void {
  add('unsubscribe <address>', 'withdraw the consent of one person').action((address: string, options: Answer) =>
    withStore((opened) => unsubscribeOne(opened, address, options)),
  );
  add('restore [address]', 'send mail again to one undeliverable person, or to all who became so since a time')
    .option('--since <time>', 'all who became undeliverable since then, such as 2026-12-01T09:00')
    .action((address: string | undefined, options: Answer & { since?: string }) =>
      withStore((opened) => restorePeople(opened, address, options)),
    );
  add('erase <address>', 'remove one person, from the sheet too; only a keyed hash stays').action(
    (address: string, options: Answer) => withStore((opened) => eraseOne(opened, address, options)),
  );
  add('purge', 'erase people whose retention period is over; runs daily by itself')
    .option('--dry-run', 'only show who would go')
    .option('--confirm <number>', 'erase this number of people, though it is unusual', wholeNumber)
    .action((options: Answer & { dryRun?: boolean; confirm?: number }) =>
      withStore((opened) => purgeNow(opened, options)),
    );
}

function addOperation(add: Add): void {
  add('deliveries', 'mails, notices and sheet rows that have not gone out yet')
    .option('--failed', 'only those given up')
    .action((options: Answer & { failed?: boolean }) => withStore(({ store }) => deliveries(store, options)));
  add('retry <id>', 'try a delivery again now, or "all" that failed or wait').action((id: string, options: Answer) =>
    withStore(({ store }) => retry(store, id, options)),
  );
  add('import <file>', 'import people from a CSV file, with the evidence of their consent')
    .option('--wording <sentence>', 'the sentence that they agreed to, where the file has no column for it')
    .option('--source <source>', 'where they signed up, where the file has no column for it')
    .option('--date <date>', 'when they consented, such as 2026-03-01, where the file has no column for it')
    .option('--dry-run', 'only count who would come')
    .action((file: string, options: Answer & ImportOptions & { dryRun?: boolean }) =>
      withStore((opened) => importList(opened, file, options)),
    );
  add('restore-backup <file>', 'replace the list with a backup; stop the server first')
    .option('--replace', 'also where there is a list already')
    .action((file: string, options: Answer & { replace?: boolean }) => restoreBackup(file, options));
  add('backup [file]', 'write the whole store into a new file, by default in private/').action(
    (file: string | undefined, options: Answer) => withStore((opened) => backUp(opened, file, options)),
  );
}

// Last, since by now everything above is there.
process.exitCode = await runCommand(program(), process.argv);
