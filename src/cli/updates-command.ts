import type { Opened } from '#newsletter/open-list.ts';
import { Command } from 'commander';
import { readOption } from './run-command.ts';
import { onStore } from './on-store.ts';
import { checkSending, type CheckOptions } from './check-command.ts';
import { cancel, list, pause, resume, status } from './manage-updates.ts';
import { parseFutureTime } from '#newsletter/updates/plan-sending.ts';
import { type CommandSources, send, type SendOptions, sendTest } from './send-command.ts';
import { readEmail } from '#newsletter/updates/send-test-mail.ts';

/**
 * The owner's commands for updates. They may be used while the server, which does the sending, is running.
 * @param readSources is called by the commands that need the site
 */
export function createUpdatesCommand(readSources: (opened: Opened) => Promise<CommandSources>): Command {
  const command = new Command('updates')
    .description(
      'Tests and sends updates: those on the desk by name, or files, which are added to the desk. Uses DATA_DIR, DATABASE_URL, SITE_URL and SMTP_URL as the server does.',
    )
    .exitOverride();
  const add = (name: string, description: string) => command.command(name).description(description);
  const addWithJson = (name: string, description: string) => add(name, description).option('--json', 'print JSON');

  add('test <file>', 'send an update to one address, marked [Test]')
    .requiredOption('--to <email>', 'your own address', readOption(readEmail))
    .action(
      onStore(async (opened, file: string, { to }: { to: string }) =>
        sendTest(opened, file, to, await readSources(opened)),
      ),
    );
  addWithJson(
    'check [file]',
    'check whether mail servers will trust this sender (SPF, DMARC, DKIM), and whether an update has mistakes',
  )
    .option('--selector <name>', 'the DKIM selector that your mail provider names')
    .action(
      onStore(async (opened, file: string | undefined, options: CheckOptions) =>
        checkSending(opened, file, options, await readSources(opened)),
      ),
    );
  addWithJson('send <file>', 'send an update to its subscribers, after you confirm')
    .option('--at <time>', 'not before this time in London, such as 2026-12-01T09:00', readOption(parseFutureTime))
    .option('--again', 'send it also to people who received an earlier version')
    .option('--instead', 'replace the scheduled version with this one')
    .option('--yes <people>', 'confirm the number of people')
    .option('--replace', 'replace a different update with the same name on the desk')
    .action(
      onStore(async (opened, file: string, options: SendOptions) =>
        send(opened, file, options, await readSources(opened)),
      ),
    );
  addWithJson('list', 'list every update, newest first').action(onStore(list));
  addWithJson('status [update]', 'show the progress of an update (its file or id), by default the latest').action(
    onStore(status),
  );
  add('pause [update]', 'pause an update until you resume it').action(onStore(pause));
  add('resume [update]', 'resume a paused update').action(onStore(resume));
  add('cancel [update]', 'cancel an update for good').action(onStore(cancel));
  return command;
}
