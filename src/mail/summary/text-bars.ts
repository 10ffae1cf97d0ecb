import type { ListSize } from './list-history.ts';

/** The year as bars of text, about one a month, for readers of mail without pictures. */
export function drawBars(history: ListSize[]): string {
  const shown = history.filter((_, week) => (history.length - 1 - week) % WEEKS_APART === 0);
  const most = Math.max(1, ...shown.map(({ people }) => people));
  return shown
    .map(({ day, people }) => `${day}  ${'█'.repeat(Math.round((people / most) * WIDTH))} ${people}`.trimEnd())
    .join('\n');
}

const WEEKS_APART = 4;
/** In characters, so that a line fits on a phone. */
const WIDTH = 16;
