import type { ReactNode } from 'react';
import styles from './process-diagrams.module.css';

/** The dots of the candidates, from all to the last three. */
const FITTING = [
  [78, 7],
  [153, 25.5],
  [217, 62.5],
  [110, 99.5],
  [270, 81],
  [46, 62.5],
  [206, 44],
  [164, 118],
  [89, 25.5],
  [14, 7],
  [142, 44],
  [281, 62.5],
  [100, 81],
  [249, 7],
  [36, 81],
  [174, 99.5],
  [228, 118],
];

/** The dots inside the brief's outline, which runs between their rows. */
const BRIEFED =
  'M99.67 44h0m21.33 0h0m21.33 0h0m21.33 0h0m21.33 0h0m21.33 0h0M89 62.5h0m21.33 0h0m21.33 0h0m21.33 0h0m21.33 0h0m21.33 0h0m21.33 0h0M99.67 81h0m21.33 0h0m21.33 0h0m21.33 0h0m21.33 0h0m21.33 0h0';

type ProcessDiagramProps = { step: number; steps: number };

/** A search in pictures: the brief, then fewer and fewer candidates, then three finalists. */
export function ProcessDiagram({ step, steps }: ProcessDiagramProps) {
  const id = `market-${step + 1}`;
  if (step === 0) {
    return (
      <Market id={id} opacity={0.45}>
        <path d={BRIEFED} />
        <rect className={styles.ring} x="78.33" y="34.75" width="149.33" height="55.5" rx="27.75" />
      </Market>
    );
  }
  if (step < steps - 1) {
    const marked = FITTING.slice(0, Math.ceil(FITTING.length / step));
    return (
      <Market id={id} opacity={0.3}>
        <path className={styles.marked} d={marked.map(([x, y]) => `M${x} ${y}h0`).join('')} />
      </Market>
    );
  }
  return (
    <Market id={id} opacity={0.18}>
      {[78, 153, 228].map((x) => (
        <circle key={x} className={styles.finalist} cx={x} cy="62.5" r="24" />
      ))}
      <path className={styles.chosen} d="M78 62.5h0M153 62.5h0M228 62.5h0" />
    </Market>
  );
}

type MarketProps = { id: string; opacity: number; children: ReactNode };

function Market({ id, opacity, children }: MarketProps) {
  return (
    <svg className={styles.market} viewBox="0 0 306 125" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <pattern id={id} width="21.333" height="37" x="3.667" y="-2.25" patternUnits="userSpaceOnUse">
        <path d="M10.666 9.25h0M0 27.75h0M21.333 27.75h0" opacity={opacity} />
      </pattern>
      <rect width="306" height="125" fill={`url(#${id})`} stroke="none" />
      {children}
    </svg>
  );
}
