import type * as Parts from './parts.ts';

/** Fetches parts.ts, once; where it does not come, the next call tries again. */
export function loadParts(): Promise<typeof Parts> {
  return import(/* @vite-ignore */ document.documentElement.dataset.parts!);
}
