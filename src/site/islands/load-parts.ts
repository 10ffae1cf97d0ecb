import type * as Parts from './parts.ts';
import { applyLateStyles } from './apply-late-styles.ts';

/** Fetches parts.ts, once, and the styles of what it shows; where it does not come, the next call tries again. */
export async function loadParts(): Promise<typeof Parts> {
  const parts = await import(/* @vite-ignore */ document.documentElement.dataset.parts!);
  // Only now, so that the touch is answered first. Without its styles a message can still be read.
  applyLateStyles().catch(() => undefined);
  return parts;
}
