import { type Metric, METRICS } from './metrics.ts';
import { type Figures, format } from './table.ts';

/** What a visitor feels; each row of the chart compares one of them with the baseline. */
const SHOWN: Metric[] = ['bytesBeforeLoad', 'fcp', 'lcp', 'speedIndex', 'tbt', 'mainThread', 'tapToResponse'];

const WIDTH = 760;
const LABELS = 250;
/** How many times the baseline the widest bar stands for; what is longer is cut, with its figure beside it. */
const WIDEST = 2;
const BAR = 16;
const GAP = 18;
const TOP = 64;
const COLOURS = ['#8a9895', '#0d3b38', '#f6b24a', '#a8621a', '#5b7db1', '#a32a1e'];

/** An SVG of bars, each as long as its value is times the baseline's, readable on light and on dark. */
export function drawChart({ columns, rounds, measured }: Figures): string {
  const baseline = columns.find(({ build }) => build === 'baseline')!.medians;
  const series = columns.toSorted((a, b) => rank(a.build) - rank(b.build) || a.visit.localeCompare(b.visit));
  const rowHeight = series.length * BAR + GAP;
  const height = TOP + SHOWN.length * rowHeight + 28;
  const unit = (WIDTH - LABELS - 90) / WIDEST;

  const legend = series.map(
    ({ build, visit }, index) =>
      `<rect x="${16 + index * 180}" y="34" width="12" height="12" fill="${COLOURS[index % COLOURS.length]}"/>` +
      `<text x="${34 + index * 180}" y="44">${build === 'site' ? `site, ${visit} visit` : escaped(build)}</text>`,
  );
  const rows = SHOWN.flatMap((metric, row) => {
    const y = TOP + row * rowHeight;
    const bars = series.map(({ medians }, index) => {
      const value = medians[metric];
      const base = baseline[metric];
      if (value === undefined || !base) return '';
      const length = Math.min(value / base, WIDEST) * unit;
      const top = y + index * BAR;
      return (
        `<rect x="${LABELS}" y="${top}" width="${length.toFixed(1)}" height="${BAR - 3}" fill="${COLOURS[index % COLOURS.length]}"/>` +
        `<text x="${(LABELS + length + 6).toFixed(1)}" y="${top + 11}" font-size="11">${format(metric, value)}</text>`
      );
    });
    const middle = y + (series.length * BAR) / 2 + 3;
    return [`<text x="${LABELS - 12}" y="${middle}" text-anchor="end">${METRICS[metric].label}</text>`, ...bars];
  });
  const line = LABELS + unit;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" font-size="12" fill="#13262b">
<title id="title">The site beside the baseline, the same page without any script; shorter is better</title>
<rect width="${WIDTH}" height="${height}" rx="12" fill="#faf7f1"/>
<text x="16" y="22" font-weight="600">Times the baseline, the same page without any script; shorter is better</text>
${legend.join('\n')}
<path d="M${line} ${TOP - 8}V${height - 26}" stroke="#13262b" stroke-dasharray="3 3" fill="none"/>
${rows.join('\n')}
<text x="16" y="${height - 10}" font-size="11">Medians of ${rounds} rounds, ${measured}</text>
</svg>
`;
}

function rank(build: string): number {
  return ['baseline', 'site'].indexOf(build) + 1 || 3;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
