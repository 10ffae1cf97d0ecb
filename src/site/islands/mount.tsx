import { type ComponentType, type ReactNode, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { ErrorBoundary } from '../ui/error-boundary.tsx';

/**
 * Hydrates an island where the server rendered it.
 * @returns once it answers to the visitor, or has shown why it cannot
 */
export function hydrate<Props extends object>(element: Element, Component: ComponentType<Props>, props: Props) {
  return new Promise<void>((resolve) => {
    hydrateRoot(
      element,
      <ErrorBoundary onError={resolve}>
        <Mounted onMount={resolve}>
          <Component {...props} />
        </Mounted>
      </ErrorBoundary>,
    );
  });
}

function Mounted({ onMount, children }: { onMount: () => void; children: ReactNode }) {
  useEffect(onMount, [onMount]);
  return children;
}
