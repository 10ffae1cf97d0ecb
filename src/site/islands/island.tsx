import type { ComponentType } from 'react';
import { renderToString } from 'react-dom/server';

/** The parts of a page that a visitor operates; the loader knows each by this name. */
export type IslandName = 'newsletter-form';

/**
 * A part that is rendered ahead of time and hydrated in the browser, as a React root of its own on both sides, so that
 * `useId` gives the same ids. Its props travel as data, so they hold only what the component needs there.
 * @param island.id unique in the page; it begins every id that `useId` makes
 */
export function Island<Props extends object>({ id, name, component: Component, props }: IslandProps<Props>) {
  const html = renderToString(<Component {...props} />, { identifierPrefix: id });
  return (
    // The loader puts what it has to say behind the island, where React does not look.
    <div>
      <div id={id} data-island={name} data-props={JSON.stringify(props)} dangerouslySetInnerHTML={{ __html: html }} />
    </div>
  );
}

type IslandProps<Props> = { id: string; name: IslandName; component: ComponentType<Props>; props: Props };
