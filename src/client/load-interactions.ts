import type * as Interactions from './interactions.ts';

/** Fetches interactions.ts, once. If it fails to load, the next call retries, where the browser does (Chromium 156). */
export function loadInteractions(): Promise<typeof Interactions> {
  return import(/* @vite-ignore */ document.documentElement.dataset.interactions!);
}
