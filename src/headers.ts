/** Every header that a response carries, from one place. */
import { NEWSLETTER_PATH } from './newsletter.ts';
import type { SiteSettings } from './site-settings.ts';

/**
 * Headers of every response.
 * @param styleHashes the hash of each page's inline stylesheet, as Content-Security-Policy writes it
 */
export function securityHeaders(styleHashes: string[], settings: SiteSettings): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(styleHashes, settings),
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

function contentSecurityPolicy(styleHashes: string[], { newsletterEndpoint }: SiteSettings): string {
  const target = newsletterEndpoint === NEWSLETTER_PATH ? "'self'" : `'self' ${new URL(newsletterEndpoint).origin}`;
  const directives = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': ["'self'", ...styleHashes.map((hash) => `'${hash}'`)].join(' '),
    'img-src': "'self'",
    'font-src': "'self'",
    'manifest-src': "'self'",
    'connect-src': target,
    'form-action': target,
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}
