import { type ComponentType, type ReactNode, useEffect } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { ErrorBoundary } from '../ui/error-boundary.tsx';

/**
 * Wakes an island where the server rendered it.
 * @returns once it answers to the visitor, or has shown why it cannot
 */
export function hydrate<Props extends object>(
  element: Element,
  Component: ComponentType<Props>,
  props: Props,
): Promise<void> {
  return new Promise((resolve) => {
    hydrateRoot(element, guarded(<Component {...props} />, resolve));
  });
}

/** Renders a part that was never rendered ahead of time, or renders it anew. */
export function render(element: Element, part: ReactNode): Promise<void> {
  const root = roots.get(element) ?? createRoot(element);
  roots.set(element, root);
  return new Promise((resolve) => {
    root.render(guarded(part, resolve));
  });
}

const roots = new WeakMap<Element, Root>();

function guarded(part: ReactNode, onSettled: () => void): ReactNode {
  return (
    <ErrorBoundary onError={onSettled}>
      <Mounted onMount={onSettled}>{part}</Mounted>
    </ErrorBoundary>
  );
}

function Mounted({ onMount, children }: { onMount: () => void; children: ReactNode }) {
  useEffect(onMount, [onMount]);
  return children;
}
