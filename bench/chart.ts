import { barX, plot, ruleX, text } from '@observablehq/plot';
import { Window } from 'happy-dom';
import { type Metric, METRICS } from './metrics.ts';
import { type Figures, format, nameOf } from './table.ts';

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
/** What is longer is cut, with its figure beside it. */
const WIDEST = 2;
const COLOURS = ['#c3ccc9', '#8a9895', '#0d3b38', '#f6b24a', '#a8621a', '#5b7db1'];

/** An SVG of bars, each as long as its value is times the baseline's, readable on light and on dark. */
export function drawChart({ columns, rounds, measured }: Figures): string {
  const baseline = columns.find(({ build }) => build === 'baseline')!.medians;
  const bars = SHOWN.flatMap((metric) =>
    columns.flatMap((column) => {
      const [value, base] = [column.medians[metric], baseline[metric]];
      if (value === undefined || !base) return [];
      const times = Math.min(value / base, WIDEST);
      return [{ metric: METRICS[metric].label, build: nameOf(column), times, value: format(metric, value) }];
    }),
  );
  const names = columns.map(nameOf);
  const title = `Times the baseline, the page without scripts; shorter is better. Medians of ${rounds} rounds, ${measured}`;
  const svg = plot({
    document: new Window().document,
    width: 760,
    height: 40 + SHOWN.length * (columns.length * 16 + 18),
    marginLeft: 110,
    marginRight: 240,
    style: { background: '#faf7f1', color: '#13262b', fontSize: '12px' },
    ariaLabel: title,
    x: { domain: [0, WIDEST], label: title },
    y: { domain: names, label: null },
    fy: { domain: SHOWN.map((metric) => METRICS[metric].label), label: null },
    color: { domain: names, range: COLOURS },
    marks: [
      barX(bars, { x: 'times', y: 'build', fy: 'metric', fill: 'build' }),
      text(bars, { x: 'times', y: 'build', fy: 'metric', text: 'value', textAnchor: 'start', dx: 6 }),
      ruleX([1], { strokeDasharray: '3 3' }),
    ],
  });
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return `${svg.outerHTML}\n`;
}
