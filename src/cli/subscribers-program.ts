/** `npm run subscribers`: the owner's commands for sign-ups. They may be used while the server is running. */
import { Command, Option } from 'commander';
import { SUBSCRIBER_STATES } from '#newsletter/subscribers/read-subscribers.ts';
import { runCommand } from './run-command.ts';
import { onStore } from './on-store.ts';
import { backUp, restore } from './backup-commands.ts';
import { listDeliveries, retry } from './delivery-commands.ts';
import { exportList } from './export-command.ts';
import { importList } from './import-command.ts';
import { eraseOne, list, restoreOne, show, unsubscribeOne } from './people-commands.ts';
import { showStatus } from './status-command.ts';

const command = new Command('subscribers')
  .description(
    'Reads, exports, erases and backs up the sign-ups. Uses DATA_DIR, DATABASE_URL and SIGNING_SECRET as the server does.',
  )
  .exitOverride();
const add = (name: string, description: string) => command.command(name).description(description);
const addWithJson = (name: string, description: string) => add(name, description).option('--json', 'print JSON');

addWithJson('list', 'everybody, the oldest sign-up first')
  .addOption(new Option('--state <state>', 'only people in this state').choices(SUBSCRIBER_STATES))
  .action(onStore(list));
addWithJson('show <email>', 'everything stored about one person, with the evidence of consent').action(onStore(show));
addWithJson('export', 'subscribed people with the evidence of consent')
  .addOption(
    new Option('--format <format>', 'csv opens safely in a spreadsheet').choices(['csv', 'json']).default('csv'),
  )
  .addOption(
    new Option('--state <state>', 'people in this state, or "all"')
      .choices([...SUBSCRIBER_STATES, 'all'])
      .default('subscribed'),
  )
  .option('--file <file>', 'write to this new file, or to standard output with -; by default to a file in private/')
  .action(onStore(exportList));
addWithJson('import <file>', 'import subscribed people from any tool’s CSV file, with the evidence of their consent')
  .option('--wording <sentence>', 'the sentence that they agreed to, if the file does not say it')
  .option('--source <source>', 'where they signed up, if the file does not say it')
  .option('--date <date>', 'when they agreed, such as 2026-03-01, if the file does not say it')
  .addOption(new Option('--dates <order>', 'how to read 04/03/2026').choices(['day-first', 'month-first']))
  .option('--dry-run', 'only show how the file is read, and who would be imported')
  .action(onStore(importList));
addWithJson('status', 'how the list and its server are doing, and what needs your attention').action(
  onStore(showStatus),
);
addWithJson('deliveries', 'emails, notices and sheet rows that have not gone out yet')
  .option('--failed', 'only failed ones')
  .action(onStore(listDeliveries));
addWithJson('restore-backup <file>', 'replace the list with a backup; stop the server first')
  .option('--replace', 'even if there is already a list')
  .action(restore);

add('unsubscribe <email>', 'withdraw the consent of one person').action(onStore(unsubscribeOne));
add('restore <email>', 'resume sending email to one undeliverable person').action(onStore(restoreOne));
add('erase <email>', 'erase one person, also from the sheet; only a keyed hash remains').action(onStore(eraseOne));
add('retry <id>', 'retry a delivery now, or "all" that failed or are waiting').action(onStore(retry));
add('backup [file]', 'write the whole store to a new file, by default in private/').action(onStore(backUp));

await runCommand(command);
