import type { Home } from '#shared/content-schema.ts';

const PATHS: Record<Home['intro']['cards'][number]['icon'], string> = {
  depth: 'M4 7h16M7 12h10M10.5 17h3',
  person: 'M12 11.5a3.75 3.75 0 1 0 0-7.5a3.75 3.75 0 0 0 0 7.5M4.5 20.5c.4-4 3.5-6 7.5-6s7.1 2 7.5 6',
  target: 'M12 21a9 9 0 1 0 0-18a9 9 0 0 0 0 18M12 16.5a4.5 4.5 0 1 0 0-9a4.5 4.5 0 0 0 0 9M12 12h0',
  check: 'M4 12.5l5 5L20 6.5',
};

/** A thin line icon of a value card. */
export function ValueIcon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="28"
      height="28"
      fill="none"
      stroke="var(--amber)"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
