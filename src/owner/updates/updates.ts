import { Command } from 'commander';
import { agency } from 'virtual:content';
import { checkSending, type CheckOptions } from './check.ts';
import { cancel, list, pause, resume, status } from './manage.ts';
import type { UpdatePlaces } from './read-update-file.ts';
import { send, type SendOptions } from './send.ts';
import { sendTest } from './send-test.ts';
import { OWNERS_TIME_ZONE } from '#shared/owners-clock.ts';
import type { Answer } from '../command/print.ts';
import { runCommand, wholeNumber } from '../command/run-command.ts';
import { withStore } from '../command/with-store.ts';

/**
 * `npm run updates`: the owner writes, sees, tries and sends updates. May be used while the server runs, which does the
 * sending.
 * @returns the exit code
 */
export function runUpdates(argv: string[], places: UpdatePlaces): Promise<number> {
  return runCommand(program(places), argv);
}

function program(places: UpdatePlaces): Command {
  const command = new Command('updates')
    .description(
      'Shows, tries and sends the updates of content/updates/. Uses DATA_DIR, DATABASE_URL, SITE_URL and SMTP_URL as the server does.',
    )
    .exitOverride()
    .configureHelp({ showGlobalOptions: true });
  addWriting(command, places);
  addSending(command, places);
  return command;
}

function addWriting(command: Command, places: UpdatePlaces): void {
  command
    .command('test <file>')
    .description('send an update to one address, marked [Test]')
    .requiredOption('--to <address>', 'your own address')
    .action((file: string, { to }: { to: string }) => sendTest(file, to, places, agency));
  command
    .command('check [file]')
    .description(
      'whether mail servers will trust this sender (SPF, DKIM, DMARC, reverse name, TLS, links), and an update is without mistakes',
    )
    .option('--selector <name>', 'the DKIM selector that your mail provider names')
    .option('--json', 'answer in JSON')
    .action((file: string | undefined, options: CheckOptions) => checkSending(file, options, places, agency));
}

function addSending(command: Command, places: UpdatePlaces): void {
  const add = (name: string, description: string) =>
    command.command(name).description(description).option('--json', 'answer in JSON');
  add('send <file>', 'send an update to its subscribers, after asking')
    .option('--at <time>', 'not before this time, such as 2026-12-01T09:00')
    .option('--time-zone <zone>', 'of that time', OWNERS_TIME_ZONE)
    .option('--yes <people>', 'confirm the number of people', wholeNumber)
    .action((file: string, options: SendOptions) => send(file, options, places, agency));
  add('list', 'every update, the newest first').action((options: Answer) =>
    withStore((opened) => list(opened, options)),
  );
  add('status [update]', 'how far an update is; the last one, unless you name its file or id').action(
    (which: string | undefined, options: Answer) => withStore((opened) => status(opened, which, options)),
  );
  for (const [name, act, description] of [
    ['pause', pause, 'stop an update until you resume it'],
    ['resume', resume, 'go on with a paused update'],
    ['cancel', cancel, 'end an update for good'],
  ] as const) {
    add(`${name} [update]`, description).action((which: string | undefined, options: Answer) =>
      withStore((opened) => act(opened, which, options)),
    );
  }
}
