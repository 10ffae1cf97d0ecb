import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import SPECIFICATION from './chart.vl.json' with { type: 'json' };
import { type Figures, format, medianOf, type Metric, METRICS } from './report.ts';

/** What a visitor feels; each group of the chart compares one of them with the baseline. */
const SHOWN: Metric[] = ['bytesUntilIdle', 'firstPaint', 'lcp', 'mainThread', 'tbt', 'tapToResponse', 'tapToMessage'];
const COMMAND = join(import.meta.dirname, 'node_modules/vega-lite/bin/vl2svg');

/** An SVG of bars, each as long as its value is times the baseline's, readable on light and on dark. */
export function drawChart({ columns, rounds, measured }: Figures): string {
  const baseline = columns.find(({ name }) => name === 'baseline')!;
  const values = columns.flatMap((column) =>
    SHOWN.flatMap((metric) => {
      const [value, base] = [medianOf(column, metric), medianOf(baseline, metric)];
      if (value === undefined || !base) return [];
      return [{ name: column.name, metric: METRICS[metric].label, times: value / base, value: format(metric, value) }];
    }),
  );
  const title = `Times the baseline, the page without scripts; shorter is better. Medians of ${rounds} rounds, ${measured}`;
  const specification = { ...SPECIFICATION, title, data: { values } };
  return spawnSync(process.execPath, [COMMAND], { input: JSON.stringify(specification), encoding: 'utf8' }).stdout;
}
