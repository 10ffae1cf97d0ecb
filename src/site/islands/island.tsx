import type { ComponentType } from 'react';
import { renderToString } from 'react-dom/server';

/**
 * A part that is rendered ahead of time and hydrated in the browser, as a React root of its own on both sides, so that
 * `useId` gives the same ids. Its props travel as data, so they hold only what the component needs there.
 * @param island.id unique in the page; it begins every id that `useId` makes
 */
export function Island<Props extends object>({ id, component: Component, props }: IslandProps<Props>) {
  const html = renderToString(<Component {...props} />, { identifierPrefix: id });
  return (
    // The loader puts its message behind the island, outside React's root.
    <div>
      <div id={id} data-island="" data-props={JSON.stringify(props)} dangerouslySetInnerHTML={{ __html: html }} />
    </div>
  );
}

type IslandProps<Props> = { id: string; component: ComponentType<Props>; props: Props };
