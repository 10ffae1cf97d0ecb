import { type Metric, METRICS, type Reading, type Rule, type Visit } from './metrics.ts';

export type Figures = {
  measured: string;
  machine: string;
  software: string;
  rounds: number;
  columns: Column[];
};

type Column = {
  build: string;
  visit: Visit;
  medians: Reading;
  spread: Partial<Record<Metric, [number, number]>>;
  /** The control that took longest to answer a tap, in milliseconds. */
  slowestTap: { control: string; time: number };
};

/** The medians as a table in Markdown, each with its ratio to the baseline and whether it keeps its target. */
export function tableOf({ columns, rounds, machine, software, measured }: Figures): string {
  const of = (build: string, metric: Metric) => columns.find((each) => each.build === build)?.medians[metric] ?? 0;
  const rows = (Object.keys(METRICS) as Metric[]).map((metric) => {
    const { label, holds }: Rule = METRICS[metric];
    const bases = { baseline: of('baseline', metric), bare: of('bare', metric) };
    const cells = columns.map(({ build, visit, medians: { [metric]: value } }) => {
      if (value === undefined) return '–';
      const ratio = bases.baseline > 0 && build !== 'baseline' ? ` ×${(value / bases.baseline).toFixed(2)}` : '';
      const mark = build !== 'site' || holds === undefined ? '' : holds(value, bases, visit) ? ' ✓' : ' ✗';
      return format(metric, value) + ratio + mark;
    });
    return [label, ...cells];
  });
  const slowest = columns.map(({ slowestTap: { control, time } }) => `${time} ms (${control})`);
  const table = markdownTable([['', ...columns.map(nameOf)], ...rows, ['Slowest answer to a tap', ...slowest]]);
  return `${table}\n\nMedians of ${rounds} rounds, ${measured}. ${machine}; ${software}.`;
}

/** @param rows the first has the heads */
export function markdownTable([heads = [], ...rows]: string[][]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export function nameOf({ build, visit }: { build: string; visit: Visit }): string {
  return build === 'site' ? `${visit} visit` : build;
}

/** A value with its unit. */
export function format(metric: Metric, value: number): string {
  const { unit } = METRICS[metric];
  const digits = { kB: 1, ms: 0, shift: 3, '': 0 }[unit];
  return `${value.toFixed(digits)}${unit === 'kB' || unit === 'ms' ? ` ${unit}` : ''}`;
}
