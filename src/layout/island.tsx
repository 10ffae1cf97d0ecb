import type { ComponentType } from 'react';
import { renderToString } from 'react-dom/server';
import { type IslandName, type IslandProps, ISLANDS } from '#client/islands.ts';

/** Loaded up front, because the server renders synchronously. */
const components = new Map<string, unknown>(
  await Promise.all(Object.entries(ISLANDS).map(async ([name, load]) => [name, await load()] as const)),
);

type IslandElementProps<Name extends IslandName> = { id: string; name: Name; props: IslandProps<Name> };

/**
 * A component that is rendered at build time and hydrated in the browser, as a separate React root in each, so
 * that `useId` gives the same ids. Its props are sent as JSON, so they contain only what the browser needs.
 * @param props.id unique in the page; every id that `useId` makes begins with it
 */
export function Island<Name extends IslandName>({ id, name, props }: IslandElementProps<Name>) {
  const Component = components.get(name) as ComponentType<object>;
  const html = renderToString(<Component {...props} />, { identifierPrefix: id });
  return (
    <div id={id} data-island={name} data-props={JSON.stringify(props)} dangerouslySetInnerHTML={{ __html: html }} />
  );
}
