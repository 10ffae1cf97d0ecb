import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Figures, format, medianOf, type Metric, METRICS } from './report.ts';

/** What a visitor feels; each group of the chart compares one of them with the baseline. */
const SHOWN: Metric[] = [
  'bytesBeforeLoad',
  'bytesUntilIdle',
  'firstPaint',
  'lcp',
  'mainThread',
  'tbt',
  'tapToResponse',
];
const COMMAND = fileURLToPath(new URL('node_modules/vega-lite/bin/vl2svg', import.meta.url));

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
  const specification = {
    title,
    background: '#faf7f1',
    data: { values },
    facet: { row: { field: 'metric', sort: null, title: null, header: { labelOrient: 'top', labelAnchor: 'start' } } },
    spec: {
      encoding: {
        // What is longer is cut, with its figure beside it.
        x: { field: 'times', type: 'quantitative', scale: { domain: [0, 2], clamp: true }, title: null },
        y: { field: 'name', sort: null, title: null },
      },
      layer: [
        { mark: 'bar', encoding: { color: { field: 'name', sort: null, legend: null } } },
        { mark: { type: 'text', align: 'left', dx: 6 }, encoding: { text: { field: 'value' } } },
      ],
      width: 400,
    },
  };
  return spawnSync(process.execPath, [COMMAND], { input: JSON.stringify(specification), encoding: 'utf8' }).stdout;
}
