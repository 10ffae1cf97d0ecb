import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBuiltSite } from '#build/built-site.ts';
import { WORDS_HEADER } from '#server/live-site.ts';

/** @returns the file of a page that two built sites show differently; undefined if there is none, as if only emails changed */
export function findChangedPage(before: string, site: string): string | undefined {
  const read = (folder: string, file: string) => {
    const path = join(folder, 'site', file);
    return existsSync(path) ? readText(readFileSync(path, 'utf8')) : undefined;
  };
  return readBuiltSite(site).documents.find((file) => file !== '404.html' && read(site, file) !== read(before, file));
}

/** @returns the words that a server of ours shows at an address; undefined if none answers there */
export async function readShownWords(url: string): Promise<string | undefined> {
  const answer = await ask(`${url}/healthz`);
  return answer?.headers.get(WORDS_HEADER) ?? undefined;
}

/**
 * Whether a page at the live address is as it was made: other hosts may change its markup, such as that of its scripts.
 * @param site the folder of the site
 * @param file the page's, such as `terms.html`
 */
export async function isPageShown(url: string, site: string, file: string): Promise<boolean> {
  const path = file === 'index.html' ? '/' : `/${file.replace(/\.html$/, '')}`;
  const answer = await ask(url + path);
  return (
    answer?.ok === true && readText(await answer.text()) === readText(readFileSync(join(site, 'site', file), 'utf8'))
  );
}

function ask(url: string): Promise<Response | undefined> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  return fetch(url, { signal, cache: 'no-store' }).catch(() => undefined);
}

const ANSWER_TIMEOUT_MS = 3000;

/** What a visitor sees of a page: its words, its styles, its pictures and what its head says. */
function readText(html: string): string {
  return html
    .replaceAll(/<script\b.*?<\/script>|<!--.*?-->/gs, ' ')
    .replaceAll(/<[^>]*>/g, (tag) => ` ${(tag.match(/\b(?:alt|content|src|srcset)="[^"]*"/g) ?? []).join(' ')} `)
    .replaceAll(/\s+/g, ' ')
    .trim();
}
