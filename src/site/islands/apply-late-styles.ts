/** Milliseconds after which styles that have not come are not waited for. */
const TIMEOUT_MS = 8000;

let applied: Promise<unknown> | undefined;

/**
 * Applies the styles of what only a script shows, once; where they do not come, the next call tries again. The page has
 * linked them for print, so they are here already, or on their way.
 */
export function applyLateStyles(): Promise<unknown> {
  applied ??= new Promise((resolve, reject) => {
    const link = document.querySelector<HTMLLinkElement>('link[data-late-styles]');
    // In development every style is there.
    if (link === null) return resolve(undefined);
    // A copy: where the first one's media change, a browser lays out all of the page anew.
    const copy = link.cloneNode() as HTMLLinkElement;
    copy.media = 'all';
    const giveUp = () => {
      clearTimeout(timeout);
      copy.remove();
      applied = undefined;
      reject(new Error('Styles'));
    };
    const timeout = setTimeout(giveUp, TIMEOUT_MS);
    copy.addEventListener('load', () => {
      clearTimeout(timeout);
      resolve(undefined);
    });
    copy.addEventListener('error', giveUp);
    document.head.append(copy);
  });
  return applied;
}
