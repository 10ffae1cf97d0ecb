import type { ComponentType } from 'react';
import { renderToString } from 'react-dom/server';
import { type IslandName, type IslandProps, ISLANDS } from '#client/islands.ts';

/** The server renders synchronously, so the components are loaded before. */
const components = new Map<string, unknown>(
  await Promise.all(Object.entries(ISLANDS).map(async ([name, load]) => [name, await load()] as const)),
);

type IslandElementProps<Name extends IslandName> = { id: string; name: Name; props: IslandProps<Name> };

/**
 * A component that is rendered ahead of time and hydrated in the browser, as a React root of its own on both sides, so
 * that `useId` gives the same ids. Its props travel as data, so they hold only what the component needs there.
 * @param props.id unique in the page; every id that `useId` makes begins with it
 */
export function Island<Name extends IslandName>({ id, name, props }: IslandElementProps<Name>) {
  const Component = components.get(name) as ComponentType<object>;
  const html = renderToString(<Component {...props} />, { identifierPrefix: id });
  return (
    <div id={id} data-island={name} data-props={JSON.stringify(props)} dangerouslySetInnerHTML={{ __html: html }} />
  );
}
