/** `npm run updates`: the owner's commands over updates. They may be used while the server runs, which does the sending. */
import { Command } from 'commander';
import { findPlaces } from '../command/find-places.ts';
import { runCommand } from '../command/run-command.ts';
import { onStore } from '../command/with-store.ts';
import { checkSending, type CheckOptions } from './check.ts';
import { cancel, list, pause, resume, status } from './manage.ts';
import { send, type SendOptions } from './send.ts';
import { sendTest } from './send-test.ts';

function program(): Command {
  const command = new Command('updates')
    .description(
      'Tries and sends the updates of content/updates/. Uses DATA_DIR, DATABASE_URL, SITE_URL and SMTP_URL as the server does.',
    )
    .exitOverride();
  addWriting(command);
  addSending(command);
  return command;
}

const places = findPlaces(import.meta.url);

function addWriting(command: Command): void {
  command
    .command('test <file>')
    .description('send an update to one address, marked [Test]')
    .requiredOption('--to <address>', 'your own address')
    .action((file: string, { to }: { to: string }) => sendTest(file, to, places));
  command
    .command('check [file]')
    .description(
      'whether mail servers will trust this sender (SPF, DKIM, DMARC, TLS, links), and an update is without mistakes',
    )
    .option('--selector <name>', 'the DKIM selector that your mail provider names')
    .option('--json', 'answer in JSON')
    .action((file: string | undefined, options: CheckOptions) => checkSending(file, options, places));
}

function addSending(command: Command): void {
  const add = (name: string, description: string) => command.command(name).description(description);
  add('send <file>', 'send an update to its subscribers, after asking')
    .option('--json', 'answer in JSON')
    .option('--at <time>', 'not before this time in London, such as 2026-12-01T09:00')
    .option('--yes <people>', 'confirm the number of people')
    .action((file: string, options: SendOptions) => send(file, options, places));
  add('list', 'every update, the newest first').option('--json', 'answer in JSON').action(onStore(list));
  add('status [update]', 'how far an update is; the last one, unless you name its file or id')
    .option('--json', 'answer in JSON')
    .action(onStore(status));
  add('pause [update]', 'stop an update until you resume it').action(onStore(pause));
  add('resume [update]', 'go on with a paused update').action(onStore(resume));
  add('cancel [update]', 'end an update for good').action(onStore(cancel));
}

// Comes last, so that the constants above have their values.
await runCommand(program());
