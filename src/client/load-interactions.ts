import type * as Interactions from './interactions.ts';

/** Fetches interactions.ts once. If it fails to load, the next call retries (Chromium 156 does, 153 doesn't). */
export function loadInteractions(): Promise<typeof Interactions> {
  return import(/* @vite-ignore */ document.documentElement.dataset.interactions!);
}
