export type Column = { name: string; taken: Reading[] };
/** Times are in milliseconds, sizes in kilobytes; undefined if a build has nothing to measure. */
export type Reading = Partial<Record<Metric, number>>;
type Metric = keyof typeof METRICS;

type Rule = { label: string; digits: number; goal: (bases: Record<'bare' | 'baseline', number>) => number };

/** The metrics in the order of the report, each with the site's budget. */
const METRICS = {
  bytesBeforeLoad: { label: 'Bytes before the load event, kB', digits: 1, goal: ({ baseline }) => 1.15 * baseline },
  bytesUntilIdle: { label: 'Bytes until idle, kB', digits: 1, goal: () => 45 },
  scriptUntilIdle: { label: 'Script until idle, kB', digits: 1, goal: () => 2.8 },
  firstPaint: { label: 'First paint as seen, ms', digits: 0, goal: ({ bare }) => 1.15 * bare },
  mainThread: { label: 'Main thread until idle, ms', digits: 0, goal: ({ baseline }) => 1.1 * baseline },
  fcp: { label: 'First Contentful Paint, ms', digits: 0, goal: ({ baseline }) => 1.05 * baseline },
  lcp: { label: 'Largest Contentful Paint, ms', digits: 0, goal: ({ baseline }) => 1.05 * baseline },
  tbt: { label: 'Total Blocking Time, ms', digits: 0, goal: ({ baseline }) => baseline + 10 },
  cls: { label: 'Cumulative Layout Shift', digits: 3, goal: () => 0 },
} satisfies Record<string, Rule>;

/** Formats the medians as a Markdown table, each with its ratio to the baseline and whether the site meets its goal. */
export function formatTable(columns: Column[]): string {
  const rows = (Object.keys(METRICS) as Metric[]).map((metric) => {
    const { label, digits, goal }: Rule = METRICS[metric];
    const medians = new Map(
      columns.map((column) => [column.name, computeMedian(column.taken.flatMap((reading) => reading[metric] ?? []))]),
    );
    const bases = { bare: medians.get('bare') ?? 0, baseline: medians.get('baseline') ?? 0 };
    const cells = [...medians].map(([name, value]) => {
      if (value === undefined) return '–';
      const ratio = bases.baseline > 0 && name !== 'baseline' ? ` ×${(value / bases.baseline).toFixed(2)}` : '';
      const mark = name in bases ? '' : value <= goal(bases) ? ' ✓' : ' ✗';
      return value.toFixed(digits) + ratio + mark;
    });
    return [label, ...cells];
  });
  return formatMarkdownTable([['', ...columns.map(({ name }) => name)], ...rows]);
}

/** Computes the median (the upper one if the count is even); undefined if there are no values. */
export function computeMedian(values: number[]): number | undefined {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

/** @param rows the first contains the headings */
export function formatMarkdownTable([heads = [], ...rows]: string[][]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
