import { OPTIONAL_FIELD_NAMES, OPTIONAL_FIELDS } from '#shared/sign-up-fields.ts';
import type { MailTrouble } from '../queue/mail-trouble.ts';
import { showSendTime } from '../updates/send-time.ts';
import { describeDropped } from '../updates/update-states.ts';
import { describeVisits } from '#visits/describe-visits.ts';
import type { MachineFacts } from './machine-facts.ts';
import type { Count, PausedUpdate, Summary, UpdateNumbers } from './read-summary.ts';
import { OPEN_DESK } from '../templates/notices.ts';

/** A summary in words: the same for the terminal, the mail and the page. */
type DescribedSummary = {
  /** Sentences about everything that needs the owner, and where she sees to it; empty when all is well. */
  needed: string[];
  sections: { heading: string; rows: [label: string, value: string][] }[];
};

export function describeSummary(summary: Summary): DescribedSummary {
  const { people, changes, deliveries, lastUpdate, joinedBy, lastPurgedAt } = summary;
  const needed = [
    ...summary.pausedUpdates.map(describePaused),
    ...findNeeds(summary).map(({ title, cause }) => `${title}. ${cause}`),
  ];
  return {
    needed: needed.length === 0 ? [] : [...needed, `To see to it, ${OPEN_DESK}.`],
    sections: [
      {
        heading: 'The list',
        rows: Object.entries(people).map(([state, count]) => [`People ${state}`, String(count)]),
      },
      {
        heading: 'Seven days',
        rows: [
          ['New', String(changes.joined)],
          ['Confirmed', String(changes.confirmed)],
          ['Unsubscribed', String(changes.left)],
          ['Became undeliverable', String(changes.undeliverable)],
          ...toCountRows('form', joinedBy.form),
          ...OPTIONAL_FIELD_NAMES.flatMap((name) =>
            toCountRows(OPTIONAL_FIELDS[name].label.toLowerCase(), joinedBy[name]),
          ),
          ...toCountRows('campaign', joinedBy.campaign),
        ],
      },
      {
        heading: 'Visits in seven days',
        rows: describeVisits(summary.visits),
      },
      {
        heading: 'Email',
        rows: [
          ['Deliveries waiting', String(deliveries.waiting)],
          ['Deliveries failed', String(deliveries.failed)],
          ['Last update', lastUpdate === undefined ? 'none yet' : describeUpdate(lastUpdate)],
        ],
      },
      {
        heading: 'The server',
        rows: [
          ['Last purge', lastPurgedAt === undefined ? 'not yet' : formatTime(lastPurgedAt)],
          ...toMachineRows(summary.machine),
        ],
      },
    ],
  };
}

function toCountRows(what: string, counts: Count[]): [string, string][] {
  return counts.map(({ name, count }) => [`New, ${what} ${name}`, String(count)]);
}

function describeUpdate({ file, state, recipients, sent, waiting, failed, dropped }: UpdateNumbers): string {
  return `${file} is ${state}: ${sent} of ${recipients} sent, ${waiting} waiting, ${failed} refused, ${dropped} ${describeDropped(state)}`;
}

function toMachineRows({ disk, lastBackupAt, certificate, clock, version }: MachineFacts): [string, string][] {
  return [
    ['Disk free', `${formatGigabytes(disk.free)} of ${formatGigabytes(disk.total)} GB`],
    ['Last backup', lastBackupAt === undefined ? 'none yet' : formatTime(lastBackupAt)],
    ...(certificate === undefined ? [] : [toCertificateRow(certificate, clock.now)]),
    ['Clock', `${showSendTime(clock.now)}${clock.ahead === undefined ? '' : `, ${describeDistance(clock.ahead)}`}`],
    ['Version', `${version.site}, on Node ${version.node}`],
  ];
}

function toCertificateRow(certificate: NonNullable<MachineFacts['certificate']>, now: number): [string, string] {
  if ('problem' in certificate) return ['Certificate', `could not be read (${certificate.problem})`];
  const { endsAt } = certificate;
  return ['Certificate', `${endsAt < now ? 'ended' : 'ends'} ${showSendTime(endsAt)}`];
}

function describeDistance(milliseconds: number): string {
  return `${Math.round(Math.abs(milliseconds) / 1000)} s from the database’s`;
}

export type Need = {
  need: 'mail-server' | 'failed' | 'disk' | 'backup' | 'certificate' | 'clock';
  title: string;
  /** In sentences: why, and what to do. */
  cause: string;
};

/** Finds everything that needs the owner, except paused updates. */
export function findNeeds(summary: Summary): Need[] {
  const { deliveries, mailTrouble, machine } = summary;
  const needs: Need[] = [];
  if (mailTrouble !== undefined) {
    const title = 'Your mail server did not take an email';
    needs.push({ need: 'mail-server', title, cause: describeTrouble(mailTrouble) });
  }
  if (deliveries.failed > 0) {
    needs.push({
      need: 'failed',
      title: 'Some emails could not be delivered',
      cause:
        'They were given up after several tries. Each says why, an update’s on the page of the update, and can be tried again.',
    });
  }
  return [...needs, ...findNeedsOfMachine(machine)];
}

function findNeedsOfMachine({ disk, lastBackupAt, certificate, clock }: MachineFacts): Need[] {
  const needs: Need[] = [];
  if (disk.free < disk.total * MIN_DISK) {
    const cause = 'Remove old backups, or ask for a larger disk.';
    needs.push({ need: 'disk', title: 'The disk is nearly full', cause });
  }
  if (lastBackupAt === undefined || clock.now - Date.parse(lastBackupAt) > MAX_BACKUP_DAYS * DAY_MS) {
    needs.push({
      need: 'backup',
      title: lastBackupAt === undefined ? 'No backup yet' : 'No backup for more than a week',
      cause: `If this machine breaks today, you lose ${lastBackupAt === undefined ? 'the whole list' : 'everything since then'}. Making one takes a few seconds.`,
    });
  }
  if (certificate !== undefined && 'problem' in certificate) {
    const cause = 'The site did not show it. Please check that the site can be reached.';
    needs.push({ need: 'certificate', title: 'Your certificate could not be read', cause });
  } else if (certificate !== undefined && certificate.endsAt - clock.now < MIN_CERTIFICATE_DAYS * DAY_MS) {
    const cause = 'It ends within two weeks, or has ended. Visitors then see a warning: please have it renewed.';
    needs.push({ need: 'certificate', title: 'Your certificate runs out', cause });
  }
  if (Math.abs(clock.ahead ?? 0) > MAX_APART_MS) {
    const cause = 'The server’s clock and the database’s are more than a minute apart. Please have both set right.';
    needs.push({ need: 'clock', title: 'Two clocks differ', cause });
  }
  return needs;
}

const DAY_MS = 24 * 3600_000;
const MIN_DISK = 0.1;
const MAX_BACKUP_DAYS = 8;
const MIN_CERTIFICATE_DAYS = 14;
const MAX_APART_MS = 60_000;

function describePaused({ file, state_reason }: PausedUpdate): string {
  const reason = state_reason ?? 'no reason was noted';
  return `The update ${file} is paused: ${reason.replace(/\.$/, '')}.`;
}

function describeTrouble({ since, reason }: MailTrouble): string {
  return `No email has gone out since ${formatTime(since)}: ${reason}. Check SMTP_URL and your account with the provider if this lasts; the waiting emails are tried again by themselves.`;
}

function formatGigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1);
}

function formatTime(time: string): string {
  return showSendTime(Date.parse(time));
}
