/** Loads the tags that are allowed, and removes the data that the others have stored. */
import type { Tag } from '#shared/tag.ts';
import type { SiteTags } from '../cookie-banner/banner-parts.ts';
import type { Preferences } from '../cookie-banner/consent-rules.ts';
import { measureClicksAndSignUps } from './measuring.ts';
import { sendEventOfTag, startTag, updateConsentOfTag } from './start-tag.ts';
import { isOnHost, listHosts } from './tag-hosts.ts';
import { planTagChanges, listCookieNames, matchNames, expireCookies } from './tag-rules.ts';

// The loader asks for this script only if the document has tags.
const { tags, calendar }: SiteTags = JSON.parse(document.querySelector<HTMLElement>('[data-tags]')!.dataset.tags!);

const running = new Set<string>();
let allowed: Preferences;
let isLeaving = false;

/**
 * Starts the allowed tags, each once, and removes the data of all others. A script can't be unloaded, so a withdrawal
 * reloads the page. What a tag stores while the page unloads is removed by the next page.
 * @param isNew whether the visitor has just chosen: then cookies for other paths, which aren't visible here, are
 * removed too
 */
export function applyToTags(preferences: Preferences, isNew: boolean): void {
  if (isLeaving) return;
  allowed = preferences;
  const { load, clear, reload } = planTagChanges(tags, preferences, running);
  for (const tag of tags) if (running.has(tag.id)) updateConsentOfTag(tag, allowed);
  clearTagData(clear, isNew);
  if (reload) {
    isLeaving = true;
    blockTagRequests();
    window.location.reload();
    return;
  }
  if (load.length > 0 && running.size === 0) {
    admitTagScripts();
    measureClicksAndSignUps(calendar, sendEvent);
  }
  for (const tag of load) {
    running.add(tag.id);
    try {
      startTag(tag, allowed);
    } catch (error) {
      // An extension may have replaced something that this tag needs. The other tags still start.
      console.error(error);
    }
  }
}

/** Blocks all requests of tags, even while the page unloads. */
function blockTagRequests(): void {
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  // In addition to the policy in the page's headers.
  policy.content = "default-src 'self'; form-action 'self'";
  document.head.append(policy);
}

/**
 * Allows scripts, including those that tags add, only from the hosts of the site's tags. Tags may write HTML, in
 * which the Content-Security-Policy blocks scripts. It is the default Trusted Types policy, because tags use strings.
 */
function admitTagScripts(): void {
  const hosts = listHosts(tags).script;
  try {
    window.trustedTypes?.createPolicy('default', {
      createHTML: (html: string) => html,
      createScriptURL: (url: string) => (isOnHost(hosts, new URL(url, document.baseURI).href) ? url : null),
    });
  } catch {
    // An extension has already created a default policy. The Content-Security-Policy still allows only these hosts.
  }
}

function sendEvent(name: string, details: Record<string, string>): void {
  if (!allowed.statistics) return;
  for (const tag of tags) if (running.has(tag.id)) sendEventOfTag(tag, name, details);
}

/** Removes the known cookies and storage keys of these tags, for the paths of this page and of its links. */
function clearTagData(cleared: Tag[], isNew: boolean): void {
  const cookies = cleared.flatMap((tag) => tag.cookies);
  // A cookie for another path isn't visible from here, but can be removed by its full name.
  const unseen = cookies.map(({ name }) => name).filter((name) => !name.endsWith('*'));
  const names = new Set([...(isNew ? unseen : []), ...matchNames(cookies, listCookieNames(document.cookie))]);
  const pages = [window.location, ...document.querySelectorAll<HTMLAnchorElement>('a[href^="/"]')];
  const pathnames = pages.map(({ pathname }) => pathname);
  for (const assignment of expireCookies([...names], window.location.hostname, pathnames)) {
    document.cookie = assignment;
  }
  const listed = cleared.flatMap((tag) => tag.storage);
  removeKeys(() => localStorage, listed);
  removeKeys(() => sessionStorage, listed);
  removeDatabases(listed).catch(() => undefined);
  removeCaches(listed).catch(() => undefined);
}

function removeKeys(openStorage: () => Storage, listed: { name: string }[]): void {
  try {
    const storage = openStorage();
    for (const key of matchNames(listed, Object.keys(storage))) storage.removeItem(key);
  } catch {
    // If the browser blocks storage, no tag can have stored anything.
  }
}

/** Deletes databases; one that a running tag has open is deleted when the visitor leaves the page. */
async function removeDatabases(listed: { name: string }[]): Promise<void> {
  const names = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
  for (const name of matchNames(listed, names)) indexedDB.deleteDatabase(name);
}

/** Deletes caches, which only secure origins have. */
async function removeCaches(listed: { name: string }[]): Promise<void> {
  if (!('caches' in window)) return;
  await Promise.all(matchNames(listed, await caches.keys()).map((name) => caches.delete(name)));
}
