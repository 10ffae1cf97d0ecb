/** Milliseconds to wait for the styles. */
const TIMEOUT_MS = 8000;

let applied: Promise<unknown> | undefined;

/**
 * Applies the styles of what only a script shows, once; where they do not come, the next call tries again. The page has
 * linked them for print, so they are here already, or on their way.
 */
export function applyLateStyles(): Promise<unknown> {
  applied ??= loadLateStyles();
  return applied;
}

async function loadLateStyles(): Promise<void> {
  const link = document.querySelector('link[data-late-styles]');
  // In development every style is there.
  if (link === null) return;
  // A copy: where the first one's media change, a browser lays out all of the page again.
  const copy = link.cloneNode() as HTMLLinkElement;
  copy.media = 'all';
  document.head.append(copy);
  try {
    await new Promise((resolve, reject) => {
      copy.addEventListener('load', resolve);
      copy.addEventListener('error', reject);
      setTimeout(reject, TIMEOUT_MS);
    });
  } catch (error) {
    copy.remove();
    applied = undefined;
    throw error;
  }
}
