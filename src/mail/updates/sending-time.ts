/** MAIL_HOURLY_CAP and MAIL_DAILY_CAP. */
export type SendingCaps = { hourlyCap: number; dailyCap: number | undefined };

/** How long an update takes at least, in milliseconds: a fifth of each hour is left to other mails. */
export function sendingTimeMs(recipients: number, { hourlyCap, dailyCap }: SendingCaps): number {
  const hours = recipients / (hourlyCap - Math.floor(hourlyCap / 5));
  const days = dailyCap === undefined ? 0 : recipients / dailyCap;
  return Math.max(hours * HOUR_MS, days * 24 * HOUR_MS);
}

const HOUR_MS = 3600_000;
