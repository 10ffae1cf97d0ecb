/** What a build is held against: the same page without scripts, and without fonts and drawings as well. */
export type Bases = { baseline: number; bare: number };
export type Visit = 'first' | 'returning';

type Unit = 'kB' | 'ms' | 'shift' | '';
export type Rule = { label: string; unit: Unit; holds?: (value: number, bases: Bases, visit: Visit) => boolean };

/** What is measured, in the order of the report, and what the site is held to. */
export const METRICS = {
  bytesBeforeLoad: {
    label: 'Bytes before the load event',
    unit: 'kB',
    holds: (v, { baseline }) => v <= 1.15 * baseline,
  },
  requestsBeforeLoad: { label: 'Requests before the load event', unit: '' },
  bytesUntilIdle: { label: 'Bytes until idle', unit: 'kB', holds: (value) => value <= 45 },
  requestsUntilIdle: { label: 'Requests until idle', unit: '' },
  scriptUntilIdle: { label: 'Script until idle', unit: 'kB', holds: (value) => value <= 2.5 },
  firstPaint: { label: 'First paint as seen', unit: 'ms', holds: (value, { bare }) => value <= 1.15 * bare },
  longTaskExcess: { label: 'Long tasks beyond 50 ms each', unit: 'ms', holds: (value) => value <= 60 },
  mainThread: { label: 'Main thread until idle', unit: 'ms', holds: (value, { baseline }) => value <= 1.1 * baseline },
  scriptTime: { label: 'of it in script', unit: 'ms' },
  fcp: { label: 'First Contentful Paint', unit: 'ms', holds: (value, { baseline }) => value <= 1.05 * baseline },
  lcp: { label: 'Largest Contentful Paint', unit: 'ms', holds: (value, { baseline }) => value <= 1.05 * baseline },
  tbt: { label: 'Total Blocking Time', unit: 'ms', holds: (value, { baseline }) => value <= baseline + 10 },
  cls: { label: 'Cumulative Layout Shift', unit: 'shift', holds: (value) => value === 0 },
  speedIndex: { label: 'Speed Index', unit: 'ms' },
  tapToResponse: { label: 'Tap on Join the List to first response', unit: 'ms', holds: (value) => value <= 100 },
  tapToMessage: { label: 'Tap on Join the List to its message', unit: 'ms', holds: (value) => value <= 300 },
} satisfies Record<string, Rule>;

export type Metric = keyof typeof METRICS;
/** One reading of every metric; undefined where a build has nothing to measure. */
export type Reading = Partial<Record<Metric, number>>;
