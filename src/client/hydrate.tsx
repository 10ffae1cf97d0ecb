/// <reference types="vite/types/importMeta.d.ts" />
import { type ComponentType, StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { hydrateRoot } from 'react-dom/client';
import { adoptControls } from './adopt-controls.ts';

/**
 * Hydrates an island synchronously, so that no keystroke is lost. If an extension has changed the markup, React renders
 * the island again, and the visitor's fields are moved into it. An island that throws, now or later, falls back to its
 * prerendered markup, which works as plain HTML.
 * @throws {Error} if the island could not be hydrated
 */
export function hydrate<Props extends object>(
  island: HTMLElement,
  Component: ComponentType<Props>,
  props: Props,
): void {
  let plainNodes = [...island.childNodes];
  let hasFailed = false;
  const restorePlain = (error: unknown) => {
    hasFailed = true;
    console.error('A part of the page failed; falling back to plain HTML.', error);
    // React's listeners are on the island, so the nodes move to an element that has none.
    const plain = document.createElement('div');
    plain.id = island.id;
    plain.append(...plainNodes);
    island.replaceWith(plain);
  };
  /** @returns React's root, and whether it had to render the island again */
  const hydrateNodes = () => {
    let isChanged = false;
    const tree = (
      <StrictMode>
        <Component {...props} />
      </StrictMode>
    );
    const onRecoverableError = (error: unknown) => {
      isChanged = true;
      // The usual cause is a visitor's extension; in development it may be our own code.
      if (import.meta.env.DEV) console.error(error);
    };
    const options = { identifierPrefix: island.id, onRecoverableError, onUncaughtError: restorePlain };
    const root = flushSync(() => hydrateRoot(island, tree, options));
    return { root, isChanged };
  };

  const focused = document.activeElement;
  const { root, isChanged } = hydrateNodes();
  if (isChanged && !hasFailed) {
    const markup = [...island.cloneNode(true).childNodes];
    root.unmount();
    island.replaceChildren(...markup);
    adoptControls(island, plainNodes);
    hydrateNodes();
  }
  if (!hasFailed) plainNodes = [...island.childNodes];
  if (focused instanceof HTMLElement && focused !== document.activeElement) focused.focus({ preventScroll: true });
  if (hasFailed) throw new Error('The island failed during hydration');
}
