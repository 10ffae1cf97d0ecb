/** `npm run subscribers`: the owner's commands over the sign-ups. They may be used while the server runs. */
import { Command, Option } from 'commander';
import { SUBSCRIBER_STATES } from '#newsletter/subscribers/read-subscribers.ts';
import { runCommand } from './run-command.ts';
import { onStore } from './on-store.ts';
import { backUp, restore } from './backup-commands.ts';
import { deliveries, retry } from './delivery-commands.ts';
import { exportList } from './export-command.ts';
import { importList } from './import-command.ts';
import { eraseOne, list, restoreOne, show, unsubscribeOne } from './people-commands.ts';
import { status } from './status-command.ts';

const command = new Command('subscribers')
  .description(
    'Reads, exports, erases and backs up the sign-ups. Uses DATA_DIR, DATABASE_URL and SIGNING_SECRET as the server does.',
  )
  .exitOverride();
const add = (name: string, description: string) => command.command(name).description(description);
const addWithJson = (name: string, description: string) => add(name, description).option('--json', 'answer in JSON');

addWithJson('list', 'everybody, the oldest sign-up first')
  .addOption(new Option('--state <state>', 'only people in this state').choices(SUBSCRIBER_STATES))
  .action(onStore(list));
addWithJson('show <email>', 'everything kept about one person, with the evidence of consent').action(onStore(show));
addWithJson('export', 'subscribed people with the evidence of consent')
  .addOption(
    new Option('--format <format>', 'csv opens safely in a spreadsheet').choices(['csv', 'json']).default('csv'),
  )
  .addOption(
    new Option('--state <state>', 'people in this state, or "all"')
      .choices([...SUBSCRIBER_STATES, 'all'])
      .default('subscribed'),
  )
  .option('--file <file>', 'write into this new file, or with - to the standard output; by default into private/')
  .action(onStore(exportList));
addWithJson('import <file>', 'import subscribed people from a CSV file of any tool, with the evidence of their consent')
  .option('--wording <sentence>', 'the sentence that they agreed to, if the file does not say it')
  .option('--source <source>', 'where they signed up, if the file does not say it')
  .option('--date <date>', 'when they agreed, such as 2026-03-01, if the file does not say it')
  .addOption(new Option('--dates <order>', 'how 04/03/2026 is read').choices(['day-first', 'month-first']))
  .option('--dry-run', 'only show how the file is read and who would be imported')
  .action(onStore(importList));
addWithJson('status', 'how the list and its server are doing, and what needs you').action(onStore(status));
addWithJson('deliveries', 'emails, notices and sheet rows that have not gone out yet')
  .option('--failed', 'only failed ones')
  .action(onStore(deliveries));
addWithJson('restore-backup <file>', 'replace the list with a backup; stop the server first')
  .option('--replace', 'also if there is a list already')
  .action(restore);

add('unsubscribe <email>', 'withdraw the consent of one person').action(onStore(unsubscribeOne));
add('restore <email>', 'send email again to one undeliverable person').action(onStore(restoreOne));
add('erase <email>', 'remove one person, from the sheet too; only a keyed hash stays').action(onStore(eraseOne));
add('retry <id>', 'retry a delivery now, or "all" that failed or wait').action(onStore(retry));
add('backup [file]', 'write the whole store into a new file, by default in private/').action(onStore(backUp));

await runCommand(command);
