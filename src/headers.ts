/** Every header that a response carries, from one place. */
import type { Tag } from './content-schema.ts';
import { NEWSLETTER_PATH } from './newsletter.ts';
import { hostsOf } from './site/consent/tag-hosts.ts';
import type { SiteSettings } from './site-settings.ts';

/**
 * Headers of every response.
 * @param styleHashes the hash of each page's inline stylesheet, as Content-Security-Policy writes it
 * @param tags the only third parties whose scripts may run
 */
export function securityHeaders(styleHashes: string[], settings: SiteSettings, tags: Tag[]): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(styleHashes, settings, tags),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    ...(settings.siteUrl?.startsWith('https:') && {
      'Strict-Transport-Security': 'max-age=63072000; includeSubDomains; preload',
    }),
  };
}

/** Files whose name holds their hash never change; everything else is asked for again. */
export function cacheControl(path: string): string {
  return path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
}

function contentSecurityPolicy(styleHashes: string[], { newsletterEndpoint }: SiteSettings, tags: Tag[]): string {
  const target = newsletterEndpoint === NEWSLETTER_PATH ? [] : [new URL(newsletterEndpoint).origin];
  const hosts = hostsOf(tags);
  const directives = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...hosts.script],
    'style-src': ["'self'", ...styleHashes.map((hash) => `'${hash}'`)],
    'img-src': ["'self'", ...hosts.img],
    'font-src': ["'self'"],
    'manifest-src': ["'self'"],
    'connect-src': ["'self'", ...target, ...hosts.connect],
    'form-action': ["'self'", ...target],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': trustedTypes(tags),
  };
  return Object.entries(directives)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ');
}

/** The policy that admits tags, which exists only where there are some, and the one that Google's tag makes itself. */
function trustedTypes(tags: Tag[]): string[] {
  if (tags.length === 0) return ["'none'"];
  return tags.some(({ kind }) => kind === 'ga4') ? ['default', 'goog#html'] : ['default'];
}
