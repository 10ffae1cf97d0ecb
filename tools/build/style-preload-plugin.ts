import type { Plugin } from 'vite';

/**
 * Takes the place of the helper by which Vite's dynamic imports bring their stylesheets. Vite's own also preloads
 * scripts, for which every visitor would download a kilobyte more; this one brings styles beside their script.
 */
export function stylePreloadPlugin(): Plugin {
  return {
    name: 'style-preload',
    apply: 'build',
    enforce: 'pre',
    load: (id) => (id === '\0vite/preload-helper.js' ? HELPER : undefined),
  };
}

/** A stylesheet that does not come fails the import, as with Vite's helper: a part without its styles would be no use. */
const HELPER = `
export const __vitePreload = (load, files = []) => Promise.all([load(), ...files.map(loadStyle)]).then(([part]) => part);

const loaded = {};

function loadStyle(file) {
  return loaded[file] ??= new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = '/' + file;
    link.onload = resolve;
    link.onerror = () => {
      delete loaded[file];
      link.remove();
      reject(new Error(file + ' did not load'));
    };
    document.head.append(link);
  });
}
`;
