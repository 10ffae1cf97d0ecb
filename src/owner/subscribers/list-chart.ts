import { max, nice, ticks } from 'd3-array';
import { html } from 'hono/html';
import type { ListSize } from '#mail/summary/list-history.ts';

/** The list over a year, as an SVG element: a line over a filled area, with the size today at its end. */
export function listChart(history: ListSize[]) {
  const top = Math.max(4, nice(0, max(history, ({ people }) => people) ?? 0, STEPS)[1]);
  const x = (index: number) => round(LEFT + (index / Math.max(1, history.length - 1)) * (RIGHT - LEFT));
  const y = (people: number) => round(BOTTOM - (people / top) * (BOTTOM - TOP));
  const line = history.map(({ people }, index) => `${x(index)},${y(people)}`).join(' ');
  const last = history.length - 1;
  const today = history[last]?.people ?? 0;
  return html`<svg
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    xmlns="http://www.w3.org/2000/svg"
    font-family="system-ui, sans-serif"
    font-size="13"
    fill="#55656a"
  >
    ${ticks(0, top, STEPS).map(
      (people) =>
        html`<path d="M${LEFT} ${y(people)}H${RIGHT}" stroke="${people === 0 ? '#55656a' : '#e4dfd4'}" />
          <text x="${LEFT - 10}" y="${y(people) + 4}" text-anchor="end">${people.toLocaleString('en-GB')}</text>`,
    )}
    ${firstWeeksOfMonths(history).map(
      ({ index, name, year }) =>
        html`<path d="M${x(index)} ${BOTTOM}v5" stroke="#55656a" />
          <text x="${x(index)}" y="${BOTTOM + 20}" text-anchor="middle">${name}</text>
          <text class="year" x="${x(index)}" y="${BOTTOM + 36}" text-anchor="middle" font-weight="600">${year}</text>`,
    )}
    <polygon points="${LEFT},${BOTTOM} ${line} ${RIGHT},${BOTTOM}" fill="${LINE}" fill-opacity="0.15" />
    <polyline points="${line}" fill="none" stroke="${LINE}" stroke-width="2" stroke-linejoin="round" />
    <circle cx="${x(last)}" cy="${y(today)}" r="4" fill="${LINE}" />
    <text x="${RIGHT}" y="${y(today) - 12}" text-anchor="end" fill="${LINE}" font-weight="600">
      ${today.toLocaleString('en-GB')}
    </text>
  </svg>`;
}

const WIDTH = 760;
const HEIGHT = 300;
const [LEFT, RIGHT, TOP, BOTTOM] = [64, WIDTH - 24, 40, HEIGHT - 52];
const STEPS = 5;
const LINE = '#0d6b60';

const round = (value: number) => Math.round(value * 10) / 10;

/** Where a month begins; January has its year below it, and so has the first, unless the two would touch. */
function firstWeeksOfMonths(history: ListSize[]): { index: number; name: string; year: string }[] {
  const isJanuary = (day: string) => day.slice(5, 7) === '01';
  const month = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' });
  return history
    .map(({ day }, index) => ({ index, day }))
    .filter(({ index, day }) => index > 0 && day.slice(0, 7) !== history[index - 1]!.day.slice(0, 7))
    .map(({ index, day }, place, months) => {
      const isAlone = place === 0 && !months.slice(1, 3).some((next) => isJanuary(next.day));
      return { index, name: month.format(new Date(day)), year: isAlone || isJanuary(day) ? day.slice(0, 4) : '' };
    });
}
