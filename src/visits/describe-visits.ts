import type { VisitCount, VisitDimension, VisitSummary } from './read-visits.ts';

/** Describes the visits that were counted, in rows of words. */
export function describeVisits({ uncounted, by, ...total }: VisitSummary): [label: string, value: string][] {
  if (uncounted !== null) return [['Pages shown', UNCOUNTED[uncounted]]];
  return [
    ['Pages shown', formatNumber(total.shown)],
    ['Sign-ups after them', describeSignUps(total)],
    ...toRows('page', by.page),
    ...toRows('referrer', by.referrer),
    ...toRows('campaign', by.campaign),
  ];
}

const UNCOUNTED: Record<NonNullable<VisitSummary['uncounted']>, string> = {
  off: 'not counted, since COUNT_VISITS is false',
  'none yet': 'none; where a static host serves the pages, this server does not see them',
};

function toRows(dimension: VisitDimension, counts: (VisitCount & { name: string })[]): [string, string][] {
  const { label, unnamed } = WORDS[dimension];
  return counts.map(({ name, ...count }) => [
    name === '' ? unnamed : `${label} ${name}`,
    `${formatNumber(count.shown)} shown, ${describeSignUps(count)}`,
  ]);
}

const WORDS: Record<VisitDimension, { label: string; unnamed: string }> = {
  page: { label: 'Page', unnamed: '' },
  referrer: { label: 'From', unnamed: 'From no other site' },
  campaign: { label: 'Campaign', unnamed: 'Without a campaign' },
};

/** For example `3 sign-ups (2.5%)`. */
function describeSignUps({ shown, signUps: count }: VisitCount): string {
  if (count === 0) return 'no sign-ups';
  const share = ((count / shown) * 100).toFixed(1);
  return `${formatNumber(count)} ${count === 1 ? 'sign-up' : 'sign-ups'} (${share}%)`;
}

function formatNumber(count: number): string {
  return count.toLocaleString('en-GB');
}
