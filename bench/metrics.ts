/** What is measured, in the order of the report, and what the site is held to. */
export const METRICS = {
  bytesBeforeLoad: { label: 'Bytes before the load event', unit: 'kB', target: { times: 1.15 } },
  requestsBeforeLoad: { label: 'Requests before the load event', unit: '', target: undefined },
  scriptBeforeLoad: { label: 'Script before the load event', unit: 'kB', target: undefined },
  bytesUntilIdle: { label: 'Bytes until idle', unit: 'kB', target: undefined },
  requestsUntilIdle: { label: 'Requests until idle', unit: '', target: undefined },
  scriptUntilIdle: { label: 'Script until idle', unit: 'kB', target: { returning: 2 } },
  bytesAfterReading: { label: 'Bytes after reading to the end', unit: 'kB', target: undefined },
  requestsAfterReading: { label: 'Requests after reading to the end', unit: '', target: undefined },
  fcp: { label: 'First Contentful Paint', unit: 'ms', target: { times: 1.05 } },
  lcp: { label: 'Largest Contentful Paint', unit: 'ms', target: { times: 1.05 } },
  tbt: { label: 'Total Blocking Time', unit: 'ms', target: { plus: 20 } },
  cls: { label: 'Cumulative Layout Shift', unit: 'shift', target: { most: 0 } },
  speedIndex: { label: 'Speed Index', unit: 'ms', target: undefined },
  mainThread: { label: 'Main thread busy until idle', unit: 'ms', target: { returning: 1.1, isRatio: true } },
  scriptTime: { label: 'of it in script', unit: 'ms', target: undefined },
  tapToResponse: { label: 'Tap on Join the List to first response', unit: 'ms', target: { most: 100 } },
  tapToMessage: { label: 'Tap on Join the List to its message', unit: 'ms', target: undefined },
} as const satisfies Record<string, { label: string; unit: Unit; target: Target | undefined }>;

export type Metric = keyof typeof METRICS;
export type Visit = 'first' | 'returning';
/** One reading of every metric; undefined where a build has nothing to measure. */
export type Reading = Partial<Record<Metric, number>>;

type Unit = 'kB' | 'ms' | 'shift' | '';
type Target = { times: number } | { plus: number } | { most: number } | { returning: number; isRatio?: true };

/** Whether a value keeps its target; undefined where there is none. */
export function keepsTarget(metric: Metric, visit: Visit, value: number, baseline: number): boolean | undefined {
  const target: Target | undefined = METRICS[metric].target;
  if (target === undefined) return undefined;
  if ('times' in target) return value <= baseline * target.times;
  if ('plus' in target) return value <= baseline + target.plus;
  if ('most' in target) return value <= target.most;
  if (visit !== 'returning') return undefined;
  return value <= target.returning * (target.isRatio ? baseline : 1);
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
