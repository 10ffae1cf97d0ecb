export type Column = { name: string; taken: Reading[] };
/** Times are in milliseconds, sizes in kilobytes; undefined where a build has nothing to measure. */
export type Reading = Partial<Record<Metric, number>>;
type Metric = keyof typeof METRICS;

type Rule = { label: string; unit: 'kB' | 'ms' | ''; goal: (bases: Record<'bare' | 'baseline', number>) => number };

/** The metrics in the order of the report, each with the site's budget. */
const METRICS = {
  bytesBeforeLoad: { label: 'Bytes before the load event', unit: 'kB', goal: ({ baseline }) => 1.15 * baseline },
  bytesUntilIdle: { label: 'Bytes until idle', unit: 'kB', goal: () => 45 },
  scriptUntilIdle: { label: 'Script until idle', unit: 'kB', goal: () => 2.8 },
  firstPaint: { label: 'First paint as seen', unit: 'ms', goal: ({ bare }) => 1.15 * bare },
  mainThread: { label: 'Main thread until idle', unit: 'ms', goal: ({ baseline }) => 1.1 * baseline },
  fcp: { label: 'First Contentful Paint', unit: 'ms', goal: ({ baseline }) => 1.05 * baseline },
  lcp: { label: 'Largest Contentful Paint', unit: 'ms', goal: ({ baseline }) => 1.05 * baseline },
  tbt: { label: 'Total Blocking Time', unit: 'ms', goal: ({ baseline }) => baseline + 10 },
  cls: { label: 'Cumulative Layout Shift', unit: '', goal: () => 0 },
} satisfies Record<string, Rule>;

/** The medians as a table in Markdown, each with its ratio to the baseline and whether the site keeps its goal. */
export function formatTable(columns: Column[]): string {
  const rows = (Object.keys(METRICS) as Metric[]).map((metric) => {
    const { label, goal }: Rule = METRICS[metric];
    const medians = new Map(columns.map((column) => [column.name, measureMedian(column, metric)]));
    const bases = { bare: medians.get('bare') ?? 0, baseline: medians.get('baseline') ?? 0 };
    const cells = [...medians].map(([name, value]) => {
      if (value === undefined) return '–';
      const ratio = bases.baseline > 0 && name !== 'baseline' ? ` ×${(value / bases.baseline).toFixed(2)}` : '';
      const mark = name in bases ? '' : value <= goal(bases) ? ' ✓' : ' ✗';
      return format(metric, value) + ratio + mark;
    });
    return [label, ...cells];
  });
  return formatMarkdownTable([['', ...columns.map(({ name }) => name)], ...rows]);
}

function measureMedian({ taken }: Column, metric: Metric): number | undefined {
  return computeMedian(taken.flatMap((reading) => reading[metric] ?? []));
}

/** The middle value, or the mean of the two in the middle; undefined of none. */
export function computeMedian(values: number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return middle.length === 0 ? undefined : (middle[0]! + middle.at(-1)!) / 2;
}

/** A value with its unit. */
function format(metric: Metric, value: number): string {
  const { unit } = METRICS[metric];
  return `${value.toFixed(unit === 'kB' ? 1 : metric === 'cls' ? 3 : 0)} ${unit}`.trim();
}

/** @param rows the first has the heads */
export function formatMarkdownTable([heads = [], ...rows]: string[][]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
