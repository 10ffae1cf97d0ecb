import { type Metric, METRICS } from './metrics.ts';
import { type Figures, format, nameOf } from './table.ts';

/** What a visitor feels; each row of the chart compares one of them with the baseline. */
const SHOWN: Metric[] = [
  'bytesBeforeLoad',
  'bytesUntilIdle',
  'firstPaint',
  'lcp',
  'mainThread',
  'tbt',
  'tapToResponse',
];

const WIDTH = 760;
const LABELS = 250;
/** How many times the baseline the widest bar stands for; what is longer is cut, with its figure beside it. */
const WIDEST = 2;
const BAR = 16;
const TOP = 64;
const COLOURS = ['#c3ccc9', '#8a9895', '#0d3b38', '#f6b24a', '#a8621a', '#5b7db1'];

/** An SVG of bars, each as long as its value is times the baseline's, readable on light and on dark. */
export function drawChart({ columns, rounds, measured }: Figures): string {
  const baseline = columns.find(({ build }) => build === 'baseline')!.medians;
  const rowHeight = columns.length * BAR + 18;
  const height = TOP + SHOWN.length * rowHeight + 28;
  const unit = (WIDTH - LABELS - 90) / WIDEST;

  const legend = columns.map((column, index) => {
    const x = 16 + index * 120;
    const name = nameOf(column).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    return `<rect x="${x}" y="34" width="12" height="12" fill="${COLOURS[index]}"/><text x="${x + 18}" y="44">${name}</text>`;
  });
  const rows = SHOWN.flatMap((metric, row) => {
    const y = TOP + row * rowHeight;
    const bars = columns.map(({ medians: { [metric]: value } }, index) => {
      const base = baseline[metric];
      if (value === undefined || !base) return '';
      const length = Math.min(value / base, WIDEST) * unit;
      const top = y + index * BAR;
      return `<rect x="${LABELS}" y="${top}" width="${length.toFixed(1)}" height="${BAR - 3}" fill="${COLOURS[index]}"/><text x="${(LABELS + length + 6).toFixed(1)}" y="${top + 11}" font-size="11">${format(metric, value)}</text>`;
    });
    const middle = y + (columns.length * BAR) / 2 + 3;
    return [`<text x="${LABELS - 12}" y="${middle}" text-anchor="end">${METRICS[metric].label}</text>`, ...bars];
  });
  const title = 'Times the baseline, the same page without any script; shorter is better';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}" font-family="system-ui, sans-serif" font-size="12" fill="#13262b">
<rect width="${WIDTH}" height="${height}" rx="12" fill="#faf7f1"/>
<text x="16" y="22" font-weight="600">${title}; bare: no web fonts or drawings either</text>
${legend.join('\n')}
<path d="M${LABELS + unit} ${TOP - 8}V${height - 26}" stroke="#13262b" stroke-dasharray="3 3" fill="none"/>
${rows.join('\n')}
<text x="16" y="${height - 10}" font-size="11">Medians of ${rounds} rounds, ${measured}</text>
</svg>
`;
}
