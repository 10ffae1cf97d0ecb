/**
 * The dots of the field: a sunflower spiral whose dots get smaller and fainter towards the edge. Generated from a
 * formula, as relative moves on an integer grid, to keep the page small.
 */

/** Lengths are in grid steps. */
type Ring = { path: string; size: number; opacity: number };

/** In drawing units, like everything here except Ring. */
export const FIELD = { width: 480, height: 460 };

/** The positions of the three highlighted dots, the finalists. */
export const HIGHLIGHTED = [
  [190, 184],
  [326, 202],
  [232, 301],
] as const;

/** Drawing units per step. Rounding to steps shortens the numbers; the difference is invisible. */
export const GRID = 2;

const SPACING = 12.4;
const COUNT = 310;

/**
 * The dots outside the finalists. Opacities are before dimming: the stylesheet halves them, and reduces those of the
 * inner rings to two thirds.
 */
export const OUTER_RINGS: Ring[] = [
  { from: 105, to: 150, size: 4, opacity: 0.82 },
  { from: 150, to: 186, size: 3.4, opacity: 0.66 },
  { from: 186, to: 999, size: 2.8, opacity: 0.48 },
].map(placeRing);

/** The dots around the finalists. */
export const INNER_RINGS: Ring[] = [
  { from: 0, to: 75, size: 5, opacity: 0.82 },
  { from: 75, to: 105, size: 4.5, opacity: 0.7 },
].map(placeRing);

function placeRing({ from, to, size, opacity }: { from: number; to: number; size: number; opacity: number }): Ring {
  const dots = listDots().filter(({ distance }) => distance >= from && distance < to);
  return { size: size / GRID, opacity, path: drawPath(dots) };
}

function listDots(): { x: number; y: number; distance: number }[] {
  const goldenAngle = Math.PI * (3 - Math.sqrt(5));
  return Array.from({ length: COUNT }, (_, index) => {
    const distance = SPACING * Math.sqrt(index + 0.6);
    const angle = index * goldenAngle;
    return {
      x: 248 + distance * Math.cos(angle),
      y: 232 + distance * 0.96 * Math.sin(angle),
      distance,
    };
  }).filter(({ x, y }) => HIGHLIGHTED.every(([fx, fy]) => Math.hypot(x - fx, y - fy) > 19));
}

/** Dots as zero-length strokes with round caps: one path draws them all. */
function drawPath(dots: { x: number; y: number }[]): string {
  // Sorted in reading order, so the steps between neighbours are short.
  const ordered = dots
    .map(({ x, y }) => ({ x: Math.round(x / GRID), y: Math.round(y / GRID) }))
    .toSorted((a, b) => a.y - b.y || a.x - b.x);
  let last = { x: 0, y: 0 };
  return ordered
    .map((dot) => {
      const step = `m${dot.x - last.x} ${dot.y - last.y}h0`.replace(' -', '-');
      last = dot;
      return step;
    })
    .join('');
}
