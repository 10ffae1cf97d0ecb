/** Loads the tags that are allowed and removes what the others left behind. */
import { tags } from 'virtual:consent-tags';
import type { Tag } from '#shared/agency-schema.ts';
import type { Preferences } from '../consent-rules.ts';
import { measureClicksAndSignUps } from './measuring.ts';
import { listHosts } from './tag-hosts.ts';
import { planTagChanges, listCookieNames, matchNames, expireCookies, toSignals } from './tag-rules.ts';

declare global {
  interface Window {
    dataLayer?: unknown[];
    plausible?: PlausibleQueue;
    trustedTypes?: {
      createPolicy(name: string, rules: { createScriptURL: (address: string) => string | null }): unknown;
    };
  }
}

type PlausibleQueue = {
  (...event: unknown[]): void;
  q?: unknown[];
  o?: object;
  init?: (options?: object) => void;
};

const running = new Set<string>();
let allowed: Preferences;
let isLeaving = false;

/**
 * Starts the allowed tags, each once, and removes the data of all others. A script cannot be unloaded, so a withdrawal
 * reloads the page. What the tag stores as the page is left is removed by the next one.
 */
export function applyToTags(preferences: Preferences): void {
  if (isLeaving) return;
  allowed = preferences;
  const { load, clear, reload } = planTagChanges(tags, preferences, running);
  for (const tag of tags) if (running.has(tag.id)) updateConsentOfTag(tag);
  clearTagData(clear);
  if (reload) {
    isLeaving = true;
    blockTagRequests();
    window.location.reload();
    return;
  }
  if (load.length > 0 && running.size === 0) {
    admitTagScripts();
    measureClicksAndSignUps(sendEvent);
  }
  for (const tag of load) {
    running.add(tag.id);
    start(tag);
  }
}

/** From here on the tags can send nothing, not even as the page is left. */
function blockTagRequests(): void {
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  // Adds to the policy in the page's headers.
  policy.content = "default-src 'self'; form-action 'self'";
  document.head.append(policy);
}

/**
 * Lets scripts, those that a tag adds too, load from the hosts of the site's tags only.
 * It is the default policy because tags load further scripts of their own.
 */
function admitTagScripts(): void {
  const hosts = listHosts(tags).script;
  window.trustedTypes?.createPolicy('default', {
    createScriptURL: (address) => (hosts.includes(new URL(address, document.baseURI).origin) ? address : null),
  });
}

function start(tag: Tag): void {
  switch (tag.kind) {
    case 'plausible':
      startPlausible();
      loadScript(tag.src);
      break;
    case 'ga4':
      if (window.dataLayer === undefined) gtag('consent', 'default', toSignals(tag.category));
      updateConsentOfTag(tag);
      gtag('js', new Date());
      gtag('config', tag.measurementId);
      loadScript(`https://www.googletagmanager.com/gtag/js?id=${tag.measurementId}`);
      break;
    case 'script':
      loadScript(tag.src);
      break;
  }
}

/** Creates the queue of Plausible's own snippet, which its script takes over. */
function startPlausible(): void {
  const plausible: PlausibleQueue = (...event) => {
    plausible.q = [...(plausible.q ?? []), event];
  };
  plausible.init = (options = {}) => {
    plausible.o = options;
  };
  plausible.init();
  window.plausible = plausible;
}

function loadScript(address: string): void {
  const script = document.createElement('script');
  script.async = true;
  script.src = address;
  document.head.append(script);
}

function updateConsentOfTag(tag: Tag): void {
  if (tag.kind === 'ga4') gtag('consent', 'update', toSignals(tag.category, allowed));
}

/** Google's tag accepts a command only as an `arguments` object. */
function gtag(..._command: unknown[]): void {
  window.dataLayer ??= [];
  window.dataLayer.push(arguments);
}

function sendEvent(name: string, details: Record<string, string>): void {
  if (!allowed.statistics) return;
  for (const { id, kind } of tags) {
    if (!running.has(id)) continue;
    if (kind === 'plausible') window.plausible?.(name, { props: details });
    if (kind === 'ga4') gtag('event', name, details);
  }
}

/** Removes the known cookies and storage keys of these tags, for the paths of this page and of all it links to. */
function clearTagData(cleared: Tag[]): void {
  const cookies = cleared.flatMap((tag) => tag.cookies);
  // A cookie of another path cannot be seen from here, but can be removed by its full name.
  const unseen = cookies.map(({ name }) => name).filter((name) => !name.endsWith('*'));
  const names = new Set([...unseen, ...matchNames(cookies, listCookieNames(document.cookie))]);
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
    // Where the browser refuses storage, no tag has left anything in it.
  }
}

/** A database that a running tag holds open is deleted when the page is left. */
async function removeDatabases(listed: { name: string }[]): Promise<void> {
  const names = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
  for (const name of matchNames(listed, names)) indexedDB.deleteDatabase(name);
}

/** Only a secure origin has caches. */
async function removeCaches(listed: { name: string }[]): Promise<void> {
  if (!('caches' in window)) return;
  await Promise.all(matchNames(listed, await caches.keys()).map((name) => caches.delete(name)));
}
