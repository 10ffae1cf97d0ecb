/** The headers of the desk's responses, except previews; `guardDesk` (security.ts) adds them. */
export const DESK_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  // With no-referrer, browsers would send "Origin: null" with each form; other sites get no referrer either way.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
  // Differs from that of visitors' pages, so that they can't script a desk window they open, despite the same origin.
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The headers of an email's preview, which only the desk may frame. */
export const PREVIEW_HEADERS = {
  'Content-Security-Policy':
    "frame-ancestors 'self'; sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'",
  'X-Frame-Options': 'SAMEORIGIN',
};

/**
 * The headers of the preview of the site. It keeps the desk's origin, so that fonts load and the desk can scroll it,
 * and runs no script.
 */
export const WEB_PAGE_HEADERS = {
  'Content-Security-Policy':
    "frame-ancestors 'self'; sandbox allow-same-origin; default-src 'none'; img-src 'self' data:; font-src 'self' data:; style-src 'unsafe-inline'; base-uri 'none'",
  'X-Frame-Options': 'SAMEORIGIN',
};
