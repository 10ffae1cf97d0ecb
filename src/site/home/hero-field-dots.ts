/**
 * The dots of the hero's field: a sunflower's spiral, each dot smaller and fainter the further out it stands.
 * Drawn from a rule instead of stored, in whole units and relative steps, so that the page carries few bytes.
 */
export const FINALISTS = [
  [190, 184],
  [326, 202],
  [232, 301],
] as const;

type Ring = { path: string; size: number; opacity: number };

export const FIELD_RINGS: Ring[] = rings();

function rings(): Ring[] {
  const goldenAngle = Math.PI * (3 - Math.sqrt(5));
  const dots = Array.from({ length: 430 }, (_, index) => {
    const distance = 11.2 * Math.sqrt(index + 0.6);
    const angle = index * goldenAngle;
    return {
      x: Math.round(248 + distance * Math.cos(angle)),
      y: Math.round(232 + distance * 0.96 * Math.sin(angle)),
      distance,
    };
  }).filter(({ x, y }) => FINALISTS.every(([fx, fy]) => Math.hypot(x - fx, y - fy) > 19));
  return [
    { from: 0, to: 75, size: 5, opacity: 0.55 },
    { from: 75, to: 115, size: 4.4, opacity: 0.46 },
    { from: 115, to: 150, size: 3.8, opacity: 0.38 },
    { from: 150, to: 185, size: 3.2, opacity: 0.3 },
    { from: 185, to: 999, size: 2.6, opacity: 0.22 },
  ].map(({ from, to, size, opacity }) => ({
    size,
    opacity,
    path: pathOf(dots.filter(({ distance }) => distance >= from && distance < to)),
  }));
}

/** Dots as strokes of no length with round caps: one path draws them all. */
function pathOf(dots: { x: number; y: number }[]): string {
  // Neighbours in reading order lie close together, so the steps between them are short.
  const ordered = dots.toSorted((a, b) => a.y - b.y || a.x - b.x);
  let last = { x: 0, y: 0 };
  return ordered
    .map((dot) => {
      const step = `m${dot.x - last.x} ${dot.y - last.y}h0`.replace(' -', '-');
      last = dot;
      return step;
    })
    .join('');
}
