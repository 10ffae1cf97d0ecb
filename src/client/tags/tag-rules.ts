/** The consent rules for the site's tags: what a choice loads, clears and signals to them. */
import type { Tag } from '#shared/tag.ts';
import type { Category, Preferences } from '../cookie-banner/consent-rules.ts';

/**
 * Plans the steps that leave exactly the allowed tags running, each once.
 * @param running ids of the tags that this page has loaded
 * @returns `reload` if a tag that is no longer allowed has run: only a new page gets rid of it, and then loads
 * the tags that are allowed.
 */
export function planTagChanges(
  tags: Tag[],
  preferences: Preferences,
  running: ReadonlySet<string>,
): { load: Tag[]; clear: Tag[]; reload: boolean } {
  const clear = tags.filter(({ category }) => !preferences[category]);
  const reload = clear.some(({ id }) => running.has(id));
  const load = reload ? [] : tags.filter(({ id, category }) => preferences[category] && !running.has(id));
  return { load, clear, reload };
}

/** Filters names by a tag's list; a `*` at the end of a listed name matches any ending. */
export function matchNames(listed: { name: string }[], names: string[]): string[] {
  return names.filter((name) =>
    listed.some((item) => (item.name.endsWith('*') ? name.startsWith(item.name.slice(0, -1)) : name === item.name)),
  );
}

/**
 * Lists the assignments to `document.cookie` that remove cookies wherever a page of this host could have set them: for
 * each path, for the host itself and for each of its parent domains. Browsers ignore domains that are too general.
 * @param names full names of cookies
 * @param pathnames paths of pages, for example `/privacy-policy`
 */
export function expireCookies(names: string[], hostname: string, pathnames: string[]): string[] {
  const paths = new Set(pathnames.flatMap(listPathsAbove));
  const domains = ['', ...listDomainsAbove(hostname).map((domain) => `; domain=${domain}`)];
  // Removing a `__Secure-` or `__Host-` cookie needs the secure attribute, a partitioned one also `partitioned`.
  // A page without TLS can remove only the other cookies.
  const kinds = ['', '; secure', '; secure; partitioned'];
  return names.flatMap((name) =>
    [...paths].flatMap((path) =>
      domains.flatMap((domain) => kinds.map((kind) => `${name}=; max-age=0; path=${path}${domain}${kind}`)),
    ),
  );
}

/** The name of every cookie in `document.cookie`. */
export function listCookieNames(cookies: string): string[] {
  return cookies
    .split(';')
    .map((cookie) => cookie.split('=')[0]!.trim())
    .filter(Boolean);
}

/** The signals in Google's Consent Mode v2 and their categories; undefined means the tag's own category. */
const SIGNALS: Record<string, Category | undefined> = {
  ad_storage: 'marketing',
  ad_user_data: 'marketing',
  ad_personalization: 'marketing',
  analytics_storage: undefined,
  functionality_storage: 'preferences',
  personalization_storage: 'preferences',
  security_storage: 'necessary',
};

type Signals = Record<string, 'granted' | 'denied'>;

/**
 * The value of each signal for a choice.
 * Source: https://developers.google.com/tag-platform/security/guides/consent
 * @param preferences if left out, every signal is denied: the default before a Google tag reads the consent
 * @param own the tag's category
 */
export function toSignals(own: Category, preferences?: Preferences): Signals {
  const signal = (category = own) => (preferences?.[category] ? 'granted' : 'denied');
  return Object.fromEntries(Object.entries(SIGNALS).map(([name, category]) => [name, signal(category)]));
}

/**
 * Finds the event that a click on a link is measured as, if any.
 * @param href the link's URL
 * @param calendar the URL behind every "book a call"
 */
export function findClickEvent(href: string, calendar: string): 'book_call_click' | 'email_click' | undefined {
  if (href === new URL(calendar).href) return 'book_call_click';
  return href.startsWith('mailto:') ? 'email_click' : undefined;
}

/** `/`, and each folder of a path with and without its trailing slash. */
function listPathsAbove(pathname: string): string[] {
  const folders = pathname.split('/').filter(Boolean);
  return [
    '/',
    ...folders.flatMap((_, index) => {
      const path = `/${folders.slice(0, index + 1).join('/')}`;
      return [path, `${path}/`];
    }),
  ];
}

function listDomainsAbove(hostname: string): string[] {
  const labels = hostname.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}
