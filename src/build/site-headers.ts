/**
 * The headers of responses to visitors. The server adds them in src/server/routes.tsx; the configuration files for other
 * hosts are made from them too (hosting-files.ts).
 */
import type { Tag } from '#shared/tag.ts';
import { NEWSLETTER_PATH } from '#shared/sign-up-rules.ts';
import { listHosts, TAG_POLICY } from '#client/tags/tag-hosts.ts';
import type { Site } from '#layout/page.ts';
import type { SiteSettings } from '#settings/site-settings.ts';

/**
 * @param tags the only third parties whose scripts may run
 * @returns the headers of every response, and the additional ones of some paths
 */
export function makeSiteHeaders({ assets, settings }: Pick<Site, 'assets' | 'settings'>, tags: Tag[]) {
  return {
    everywhere: makeCommonHeaders(assets.styles?.hash, settings, tags),
    forPath: (path: string): Record<string, string> => ({
      'Cache-Control': chooseCacheControl(path),
      // Not everywhere: with two rules for one path some hosts send both values.
      'Cross-Origin-Resource-Policy': isShownInMails(path) ? 'cross-origin' : 'same-origin',
    }),
  };
}

/**
 * Sources: the scoring of Mozilla's Observatory (github.com/mdn/mdn-http-observatory, src/grader/charts.js) and
 * OWASP's Secure Headers Project.
 */
function makeCommonHeaders(styleHash: string | undefined, settings: SiteSettings, tags: Tag[]): Record<string, string> {
  return {
    'Content-Security-Policy': writeContentSecurityPolicy(styleHash, settings, tags),
    'Cross-Origin-Embedder-Policy': chooseEmbedderPolicy(settings, tags),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': FEATURES.map((feature) => `${feature}=()`).join(', '),
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    ...requireTls(settings),
    ...(settings.siteUrl === undefined && { 'X-Robots-Tag': 'noindex' }),
  };
}

/** The desk sends this header too, since browsers keep the last one that a host sent. */
export function requireTls(settings: Pick<SiteSettings, 'siteUrl' | 'hstsSubdomains'>): Record<string, string> {
  if (!settings.siteUrl?.startsWith('https:')) return {};
  return {
    'Strict-Transport-Security': `max-age=63072000${settings.hstsSubdomains ? '; includeSubDomains; preload' : ''}`,
  };
}

/** Features that no script on the page may use. Without unload handlers, a page can enter the back/forward cache. */
const FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'unload',
  'usb',
];

function writeContentSecurityPolicy(
  styleHash: string | undefined,
  { newsletterEndpoint }: SiteSettings,
  tags: Tag[],
): string {
  const target = listNewsletterHosts(newsletterEndpoint);
  const hosts = listHosts(tags);
  const directives = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...hosts.script],
    'style-src': ["'self'", ...listInlineStyles(styleHash, tags), ...hosts.style],
    'img-src': ["'self'", ...hosts.img],
    'font-src': ["'self'"],
    'manifest-src': ["'self'"],
    'connect-src': ["'self'", ...target, ...hosts.connect],
    ...(hosts.frame.length > 0 && { 'frame-src': hosts.frame }),
    'form-action': ["'self'", ...target],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': listTrustedTypes(tags),
  };
  return Object.entries(directives)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ');
}

/** A policy applies to redirects too, and Google's spreadsheet scripts respond with one. */
function listNewsletterHosts(endpoint: string): string[] {
  if (endpoint === NEWSLETTER_PATH) return [];
  const { origin } = new URL(endpoint);
  return origin === 'https://script.google.com' ? [origin, 'https://script.googleusercontent.com'] : [origin];
}

/** Browsers ignore 'unsafe-inline' if there is a hash. */
function listInlineStyles(styleHash: string | undefined, tags: Tag[]): string[] {
  const writesStyles = tags.some((tag) => tag.kind === 'script' && tag.inlineStyles);
  if (writesStyles) return ["'unsafe-inline'"];
  return styleHash === undefined ? [] : [`'${styleHash}'`];
}

/** The Trusted Types policies: our own for tags, if there are any, and those of Google's and Meta's scripts. */
function listTrustedTypes(tags: Tag[]): string[] {
  if (tags.length === 0) return ["'none'"];
  const own: Partial<Record<Tag['kind'], string>> = { ga4: 'goog#html', meta: 'connect.facebook.net/fbevents' };
  return ['default', TAG_POLICY, ...new Set(tags.flatMap(({ kind }) => own[kind] ?? []))];
}

/**
 * Few hosts send the header that `require-corp` requires; `credentialless` loads their files anyway, without cookies.
 * Tags need more: their frames have no such header either, and their pixels need the provider's own cookies.
 */
function chooseEmbedderPolicy({ newsletterEndpoint }: SiteSettings, tags: Tag[]): string {
  if (tags.length > 0) return 'unsafe-none';
  return newsletterEndpoint === NEWSLETTER_PATH ? 'require-corp' : 'credentialless';
}

/** Webmail shows these on its own pages, where browsers block `same-origin` files. */
function isShownInMails(path: string): boolean {
  return path === MAIL_MARK_PATH || path.startsWith(UPDATE_PICTURES);
}

const MAIL_MARK_PATH = '/mark.png';

/** The folder for pictures in updates, to which the desk adds files while the site is running. */
export const UPDATE_PICTURES = '/updates/';

/** A file with a hash in its name never changes; browsers revalidate everything else. */
function chooseCacheControl(path: string): string {
  return path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
}
