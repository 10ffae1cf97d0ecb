import styles from './process-diagrams.module.css';

/** Step one: a brief drawn on the market. */
export function BriefDiagram() {
  return (
    <Market id="market-of-brief" opacity={0.45}>
      <rect x="84" y="24" width="140" height="80" rx="40" fill="none" stroke="var(--amber)" strokeWidth="2" />
    </Market>
  );
}

/** Step two: the market mapped, the few who fit marked in it. */
export function MarketDiagram() {
  return (
    <Market id="market-mapped" opacity={0.3}>
      <path
        className={styles.marked}
        d="M10 7h0M74 7h0M245 7h0M85 25.5h0M149 25.5h0M138 44h0M202 44h0M42 62.5h0M213 62.5h0M277 62.5h0M32 81h0M96 81h0M266 81h0M106 99.5h0M170 99.5h0M160 118h0M224 118h0"
      />
    </Market>
  );
}

/** Step three: three finalists. */
export function FinalistsDiagram() {
  return (
    <Market id="market-left" opacity={0.18}>
      {[78, 153, 228].map((x) => (
        <g key={x} fill="var(--sun)">
          <circle cx={x} cy="62.5" r="12.5" />
          <circle cx={x} cy="62.5" r="24" fill="none" stroke="var(--amber)" strokeWidth="1.75" />
        </g>
      ))}
    </Market>
  );
}

function Market({ id, opacity, children }: { id: string; opacity: number; children: React.ReactNode }) {
  return (
    <svg className={styles.market} viewBox="0 0 306 125" aria-hidden="true">
      <pattern id={id} width="21.333" height="37" x="-.666" y="-2.25" patternUnits="userSpaceOnUse">
        <path className={styles.dots} d="M10.666 9.25h0M0 27.75h0M21.333 27.75h0" opacity={opacity} />
      </pattern>
      <rect width="306" height="125" fill={`url(#${id})`} />
      {children}
    </svg>
  );
}
