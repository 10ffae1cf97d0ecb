import type { ComponentType } from 'react';
import { ErrorBoundary } from '../ui/error-boundary.tsx';

/** The parts of a page that a visitor operates; the loader knows each by this name. */
export type IslandName = 'newsletter-form';

/**
 * A part that is rendered ahead of time and hydrated in the browser.
 * Its props travel as data, so they hold only what the component needs there.
 * Each island is a root of its own: give parts ids by their props, since `useId` would differ on the two sides.
 */
export function Island<Props extends object>({ name, component: Component, props }: IslandOf<Props>) {
  return (
    <div data-island={name} data-props={JSON.stringify(props)}>
      <ErrorBoundary>
        <Component {...props} />
      </ErrorBoundary>
    </div>
  );
}

type IslandOf<Props> = { name: IslandName; component: ComponentType<Props>; props: Props };
