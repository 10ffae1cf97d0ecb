/**
 * Draws the halftone portrait that stands in until the owner supplies a photograph:
 * `node tools/art/draw-portrait.ts > src/site/home/portrait.svg`.
 * Each dot's size is the light that falls on that place of a simple head and shoulders, lit from the upper left.
 */
const WIDTH = 424;
const HEIGHT = 508;
const STEP_X = 6.8;
const STEP_Y = 5.9;
const LARGEST = 6.5;
const LEVELS = 9;

const HEAD = { x: 214, y: 182, rx: 82, ry: 106 };
const SHOULDERS =
  'M8 508C14 420 78 366 148 344C176 335 184 322 184 296H246C246 322 254 335 282 344C350 366 410 420 416 508Z';

process.stdout.write(`${portrait()}\n`);

function portrait(): string {
  const levels = Array.from({ length: LEVELS }, () => [] as { x: number; y: number }[]);
  for (let row = 0; row * STEP_Y < HEIGHT; row += 1) {
    for (let column = 0; column * STEP_X < WIDTH; column += 1) {
      const x = column * STEP_X + (row % 2 ? STEP_X / 2 : 0);
      const y = row * STEP_Y + 3;
      const level = Math.round(light(x, y) * LEVELS);
      if (level > 0) levels[Math.min(level, LEVELS) - 1]!.push({ x: Math.round(x), y: Math.round(y) });
    }
  }
  const dots = levels.map((places, index) =>
    places.length === 0
      ? ''
      : `<path stroke-width="${(((index + 1) / LEVELS) * LARGEST).toFixed(1)}" d="${pathOf(places)}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<path fill="#0d3b38" d="M0 0h${WIDTH}v${HEIGHT}H0z"/>`,
    '<circle cx="310" cy="156" r="116" fill="#e2a544"/>',
    `<g fill="#0d3b38"><ellipse cx="${HEAD.x}" cy="${HEAD.y}" rx="${HEAD.rx + 3}" ry="${HEAD.ry + 3}"/><path d="${SHOULDERS}"/></g>`,
    `<g fill="none" stroke="#f3f1ea" stroke-linecap="round">${dots.join('')}</g>`,
    '</svg>',
  ].join('');
}

/** From 0, no dot, to 1, the largest. */
function light(x: number, y: number): number {
  const head = Math.abs((x - HEAD.x) / HEAD.rx) ** 2.3 + Math.abs((y - HEAD.y) / HEAD.ry) ** 2.3;
  if (head < 1) return headLight((x - HEAD.x) / HEAD.rx, (y - HEAD.y) / HEAD.ry, head);
  if (x > 186 && x < 244 && y > HEAD.y && y < 348 && !inShirt(x, y)) {
    return 0.66 - (x - 186) / 150 - Math.max(0, 300 - y) / 130;
  }
  if (inShirt(x, y)) return 0.95 - Math.max(0, x - 222) / 110;
  if (y > jacketTop(x)) return jacketLight(x, y);
  return 0;
}

/** `u` and `v` run from -1 to 1 across the head. */
function headLight(u: number, v: number, distance: number): number {
  const depth = Math.sqrt(1 - distance);
  const lit = -0.4 * u - 0.22 * v + 0.72 * depth;
  const hairline = -0.4 - 0.14 * Math.cos(u * 2 - 0.5);
  const atSides = Math.abs(u) > 0.9 - Math.max(0, v + 0.15) * 0.5 && v < 0.1;
  if (v < hairline || atSides) return 0.3 + 0.2 * lit - 0.1 * Math.sin(u * 9 + v * 5);
  const shade =
    spot(u, v, -0.38, -0.16, 0.2, 0.04) * 0.36 + // brows
    spot(u, v, 0.38, -0.16, 0.2, 0.04) * 0.3 +
    spot(u, v, -0.36, -0.03, 0.16, 0.05) * 0.5 + // eyes
    spot(u, v, 0.36, -0.03, 0.16, 0.05) * 0.4 +
    spot(u, v, 0.12, 0.2, 0.09, 0.22) * 0.28 + // the shaded side of the nose
    spot(u, v, 0.02, 0.34, 0.17, 0.04) * 0.34 +
    spot(u, v, 0, 0.58, 0.3, 0.045) * 0.5 + // mouth
    spot(u, v, 0.04, 0.72, 0.18, 0.05) * 0.16;
  return Math.max(0.1, 0.3 + 0.72 * lit - shade);
}

/** A soft ellipse of shade: 1 at its centre, nothing outside. */
function spot(u: number, v: number, cu: number, cv: number, ru: number, rv: number): number {
  return Math.max(0, 1 - ((u - cu) / ru) ** 2 - ((v - cv) / rv) ** 2) ** 0.5;
}

function inShirt(x: number, y: number): boolean {
  const half = 46 - (y - 318) * 0.5;
  return y > 318 && half > 0 && Math.abs(x - 216) < half && y > 318 + Math.max(0, 20 - Math.abs(x - 216)) * 0.9;
}

function jacketTop(x: number): number {
  const out = Math.abs(x - 215);
  return out < 34 ? 330 : 336 + Math.max(0, out - 40) * 0.34 + (Math.max(0, out - 120) / 86) ** 3 * 90;
}

function jacketLight(x: number, y: number): number {
  const side = x < 215 ? 0.6 : 0.48;
  const lapel = Math.abs(Math.abs(x - 216) - (62 - (y - 340) * 0.36)) < 4.5 && y < 500 ? -0.22 : 0;
  return Math.max(0.12, side - (y - 340) / 900 - Math.abs(x - 150) / 1400 + lapel);
}

/** Dots as strokes of no length with round caps, in short relative steps. */
function pathOf(dots: { x: number; y: number }[]): string {
  let last = { x: 0, y: 0 };
  return dots
    .map((dot) => {
      const step = `m${dot.x - last.x} ${dot.y - last.y}h0`.replace(' -', '-');
      last = dot;
      return step;
    })
    .join('');
}
