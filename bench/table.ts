import { keepsTarget, type Metric, METRICS, type Reading, type Visit } from './metrics.ts';

export type Figures = {
  measured: string;
  machine: string;
  software: string;
  rounds: number;
  buildSeconds: number;
  developmentSeconds: number;
  columns: { build: string; visit: Visit; medians: Reading; spread: Partial<Record<Metric, [number, number]>> }[];
};

/** Prints the medians, each with its ratio to the baseline and whether it keeps its target. */
export function printTable(figures: Figures): void {
  const baseline = figures.columns.find(({ build }) => build === 'baseline')!.medians;
  const others = figures.columns.filter(({ build }) => build !== 'baseline');
  const rows = (Object.keys(METRICS) as Metric[]).map((metric) => [
    METRICS[metric].label,
    format(metric, baseline[metric]),
    ...others.map(({ build, visit, medians }) => {
      const value = medians[metric];
      const kept =
        value === undefined || build !== 'site' ? undefined : keepsTarget(metric, visit, value, baseline[metric] ?? 0);
      return `${format(metric, value)} ${ratio(value, baseline[metric])} ${kept === undefined ? ' ' : kept ? '✓' : '✗'}`;
    }),
  ]);
  const heads = [
    '',
    'baseline',
    ...others.map(({ build, visit }) => (build === 'site' ? `${build}, ${visit} visit` : build)),
  ];
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]!.length)));
  for (const row of [heads, ...rows]) {
    console.log(
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  '),
    );
  }
  console.log(`\nMedians of ${figures.rounds} rounds. ${figures.machine}; ${figures.software}.`);
  console.log(
    `Build from clean: ${figures.buildSeconds.toFixed(1)} s. npm run dev ready: ${figures.developmentSeconds.toFixed(1)} s.`,
  );
}

/** A value with its unit. */
export function format(metric: Metric, value: number | undefined): string {
  if (value === undefined) return '–';
  const { unit } = METRICS[metric];
  const digits = { kB: 1, ms: 0, shift: 3, '': 0 }[unit];
  return `${value.toFixed(digits)}${unit === 'kB' || unit === 'ms' ? ` ${unit}` : ''}`;
}

/** How many times the baseline, or nothing where the baseline is nought. */
export function ratio(value: number | undefined, baseline: number | undefined): string {
  return value === undefined || !baseline ? '      ' : `×${(value / baseline).toFixed(2)}`.padStart(6);
}
