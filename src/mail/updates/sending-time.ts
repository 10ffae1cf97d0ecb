/** MAIL_HOURLY_CAP and MAIL_DAILY_CAP, which is undefined where the provider sets none. */
export type SendingCaps = { hourlyCap: number; dailyCap: number | undefined };

/** How many mails of updates may leave in an hour: a fifth is left to mails that answer a person or warn the owner. */
export function countForUpdates(hourlyCap: number): number {
  return hourlyCap - Math.floor(hourlyCap / 5);
}

/** How long an update takes at least, in milliseconds. */
export function sendingTimeMs(recipients: number, { hourlyCap, dailyCap }: SendingCaps): number {
  const hours = recipients / countForUpdates(hourlyCap);
  const days = dailyCap === undefined ? 0 : recipients / dailyCap;
  return Math.max(hours * HOUR_MS, days * 24 * HOUR_MS);
}

const HOUR_MS = 3600_000;
