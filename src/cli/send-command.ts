import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { formatPeople } from '#newsletter/format.ts';
import type { Opened } from '#newsletter/open-list.ts';
import { toDisplayEmail } from '#newsletter/subscribers/email.ts';
import { importEmail } from '#newsletter/updates/import-email.ts';
import {
  describeReplacement,
  describeSendingTime,
  planSending,
  queueForSending,
  readCaps,
  sendInstead,
  type SendingPlan,
} from '#newsletter/updates/plan-sending.ts';
import { type ReadUpdate, readUpdateFile, type UpdateSources } from '#newsletter/updates/read-update-file.ts';
import { showSendTime } from '#newsletter/updates/send-time.ts';
import { sendTestMail } from '#newsletter/updates/send-test-mail.ts';
import type { Environment } from '#settings/environment.ts';
import { printResult, type JsonOption, write } from './print.ts';

/** `at` is in milliseconds since 1970. */
export type SendOptions = JsonOption & {
  at?: number;
  yes?: string;
  again?: boolean;
  instead?: boolean;
  replace?: boolean;
};

/** Shows the update and the number of people who would get it, asks for that number, and queues it. */
export async function send(opened: Opened, file: string, options: SendOptions, sources: CommandSources): Promise<void> {
  const read = await readUpdateFile(await importFile(opened, file, options, sources), sources);
  if (options.instead) {
    const { id, isPaused } = await sendInstead(opened, read);
    printResult(options, { id }, `${read.file}: ${describeReplacement(isPaused)}\n`);
    return;
  }
  const plan = await planSending(opened, read, { sendAt: options.at, again: options.again });
  if (plan.problem !== undefined) throw new Error(describeProblem(plan, plan.problem));
  const { total } = plan.audience;
  if (!options.json) write(describePlan(read, plan, opened.env));
  await confirm(total, options.yes);
  const id = await queueForSending(opened, read, plan);
  const message = `Queued for ${formatPeople(total)}. The running server will send it. To follow its progress: npm run updates -- status\n`;
  printResult(options, { id, recipients: total, warnings: read.warnings }, message);
}

function describeProblem({ scheduled }: SendingPlan, problem: string): string {
  if (scheduled === undefined || scheduled.isSame) return problem;
  return `${problem} To send this version instead, add --instead; to cancel it: npm run updates -- cancel`;
}

/** The sources of updates, and the project that has the pictures in the files. */
export type CommandSources = UpdateSources & { project: string | undefined };

/** If the argument names a file, stores it as an email on the desk first. @returns the email's name */
async function importFile(
  { store }: Opened,
  file: string,
  { replace = false }: SendOptions,
  sources: CommandSources,
): Promise<string> {
  const places = file === basename(file) ? [join(sources.updates, file), file] : [file];
  const path = places.find((each) => each.endsWith('.md') && existsSync(each));
  if (path === undefined && file !== basename(file)) throw new Error(`${file}: there is no such update`);
  return path === undefined ? file : importEmail(store, path, sources, replace);
}

function describePlan({ update, template, warnings }: ReadUpdate, plan: SendingPlan, env: Environment): string {
  const { audience, sendAt } = plan;
  const byRole = audience.byRole.map(({ role, count }) => `${count} ${role || 'who gave no role'}`).join(', ');
  return `${[
    `Subject  ${template.subject}`,
    `Preview  ${update.preview}`,
    `To       ${formatPeople(audience.total)}: ${byRole}`,
    `Begins   ${sendAt === undefined ? 'now' : showSendTime(sendAt)}`,
    `Takes    ${describeSendingTime(audience.total, readCaps(env))} at MAIL_HOURLY_CAP=${env.MAIL_HOURLY_CAP}${env.MAIL_DAILY_CAP === undefined ? '' : ` and MAIL_DAILY_CAP=${env.MAIL_DAILY_CAP}`}`,
    ...plan.remarks,
    ...(audience.hadEarlier > 0 && !plan.again ? ['They won’t get this version unless you add --again.'] : []),
    ...warnings,
  ].join('\n')}\n`;
}

async function confirm(total: number, given: string | undefined): Promise<void> {
  if (given !== undefined) {
    if (given === String(total)) return;
    throw new Error(`--yes: expected ${total}, the number of people who would get it, but found ${given}`);
  }
  if (!process.stdin.isTTY) throw new Error(`Nothing was queued. To confirm without a terminal: --yes ${total}`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const typed = await terminal.question('To send it, type the number of people: ');
  terminal.close();
  if (typed.trim() !== String(total)) throw new Error('That isn’t the number. Nothing was queued.');
}

/**
 * Sends an update to one address, as subscribers will get it. Its unsubscribe link works, but belongs to no subscriber.
 * @param to an address, as returned by `readEmail`
 */
export async function sendTest(opened: Opened, file: string, to: string, sources: UpdateSources): Promise<void> {
  const read = await readUpdateFile(file, sources);
  const place = await sendTestMail({ ...opened, agency: sources.sender.agency }, read, to);
  write(read.warnings.map((warning) => `${warning}\n`).join(''));
  write(`Sent to ${toDisplayEmail(to)} by ${place}.\n`);
}
