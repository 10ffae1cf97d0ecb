import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBuiltSite } from '#server/built-site.ts';
import { SITE_NAME_HEADER } from '#server/live-site.ts';

/** What a publish is looked for by at the live address. @property page one that changed, if any did */
export type Sought = { name: string; page: { path: string; text: string } | undefined };

/**
 * Chooses what to look for.
 * @param before the folder of the site that was shown before
 * @param site the folder of the new one
 */
export function chooseSought(name: string, before: string, site: string): Sought {
  const { documents } = readBuiltSite(site);
  const read = (folder: string, file: string) => {
    const path = join(folder, 'site', file);
    return existsSync(path) ? readText(readFileSync(path, 'utf8')) : undefined;
  };
  const changed = documents.find((file) => file !== '404.html' && read(site, file) !== read(before, file));
  if (changed === undefined) return { name, page: undefined };
  const path = changed === 'index.html' ? '/' : `/${changed.replace(/\.html$/, '')}`;
  return { name, page: { path, text: read(site, changed)! } };
}

/** @returns the name of the site that a server of ours shows at an address; undefined if none answers there */
export async function readShownName(url: string): Promise<string | undefined> {
  const answer = await ask(`${url}/healthz`);
  return answer?.headers.get(SITE_NAME_HEADER) ?? undefined;
}

/** Whether the page at the live address has the new words: other hosts may change its markup, such as addresses in it. */
export async function isPageShown(url: string, { page }: Sought): Promise<boolean> {
  if (page === undefined) return true;
  const answer = await ask(url + page.path);
  return answer?.ok === true && readText(await answer.text()) === page.text;
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
