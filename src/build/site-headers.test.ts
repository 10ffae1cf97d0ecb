import { describe, expect, it } from 'vitest';
import type { Tag } from '#shared/tag.ts';
import { makeSiteHeaders } from './site-headers.ts';
import { NEWSLETTER_PATH } from '#shared/sign-up-rules.ts';
import type { Assets } from '#layout/page.ts';

const anyTag: Pick<Tag, 'id' | 'category' | 'provider' | 'purpose' | 'cookies' | 'storage' | 'hosts'> = {
  id: 'tag',
  category: 'statistics',
  provider: 'Tags Ltd',
  purpose: 'Counting',
  cookies: [],
  storage: [],
  hosts: [],
};
const plausible: Tag = { ...anyTag, kind: 'plausible', src: 'https://plausible.io/js/pa-x.js' };
const google: Tag = { ...anyTag, kind: 'ga4', measurementId: 'G-X' };
const script: Tag = {
  ...anyTag,
  kind: 'script',
  src: 'https://tags.example/a/tag.js?id=1',
  hosts: ['https://collect.tags.example/'],
  variables: {},
  attributes: {},
  inlineStyles: false,
};

/**
 * Mozilla's Observatory gives points for most of these (github.com/mdn/mdn-http-observatory, src/grader/charts.js).
 * Pages without unload handlers can use the back/forward cache.
 */
it('forbids everything that a site without tags doesn’t need', () => {
  expect(everywhere([], undefined, { css: '', hash: 'sha256-a' })).toEqual({
    'Content-Security-Policy':
      "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-a'; img-src 'self'; font-src 'self'; " +
      "manifest-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
      "require-trusted-types-for 'script'; trusted-types 'none'",
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy':
      'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), ' +
      'microphone=(), midi=(), payment=(), serial=(), unload=(), usb=()',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    // Without subdomains: the owner decides about these.
    'Strict-Transport-Security': 'max-age=63072000',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  });
});

describe('the Content-Security-Policy', () => {
  it('allows the hosts that Google documents, and the Trusted Types policy that its tag creates', () => {
    const policy = policyWith([google]);
    expect(policy['script-src']).toBe("'self' https://www.googletagmanager.com");
    expect(policy['connect-src']).toContain('https://*.google-analytics.com');
    expect(policy['img-src']).toContain('https://*.google-analytics.com');
    expect(policy['trusted-types']).toBe('default tags goog#html');
  });

  it('allows a plain script’s own host and the listed ones, and names a host that tags share once', () => {
    const policy = policyWith([script, { ...script, id: 'other' }]);
    for (const directive of ['script-src', 'style-src', 'connect-src', 'img-src']) {
      expect(policy[directive]).toBe("'self' https://tags.example https://collect.tags.example");
    }
    expect(policy['frame-src']).toBe('https://tags.example https://collect.tags.example');
    expect(policy['form-action']).toBe("'self'");
  });

  it('allows the hosts that conversions for Google Ads need', () => {
    const policy = policyWith([{ ...google, adsId: 'AW-1' }]);
    expect(policy['script-src']).toContain('https://googleads.g.doubleclick.net');
    expect(policy['frame-src']).toContain('https://td.doubleclick.net');
    expect(policy['connect-src']).toContain('https://*.google.com');
  });
});

it('allows a tag’s script to write styles only if the tag asks for it', () => {
  const styles = { css: '', hash: 'sha256-a' };
  const styleOf = (tag: Tag) =>
    /style-src ([^;]+)/.exec(everywhere([tag], undefined, styles)['Content-Security-Policy']!);
  expect(styleOf(script)![1]).toContain("'sha256-a'");
  // Browsers ignore 'unsafe-inline' if there is a hash.
  expect(styleOf({ ...script, inlineStyles: true })![1]).toMatch(/^'self' 'unsafe-inline' https:/);
});

describe('if sign-ups are sent to another host, the Content-Security-Policy', () => {
  it('allows that host and no other', () => {
    const policy = policyWith([], 'https://sheet.example/exec');
    expect(policy['connect-src']).toBe("'self' https://sheet.example");
    expect(policy['form-action']).toBe("'self' https://sheet.example");
  });

  it("allows the redirect with which Google's spreadsheet scripts respond", () => {
    const policy = policyWith([], 'https://script.google.com/macros/s/x/exec');
    expect(policy['connect-src']).toBe("'self' https://script.google.com https://script.googleusercontent.com");
  });
});

it('allows embedding without a host’s permission only if tags or a newsletter elsewhere need it', () => {
  const embedder = (tags: Tag[], endpoint?: string) => everywhere(tags, endpoint)['Cross-Origin-Embedder-Policy'];
  expect(embedder([])).toBe('require-corp');
  expect(embedder([plausible])).toBe('unsafe-none');
  expect(embedder([], 'https://sheet.example/exec')).toBe('credentialless');
});

it.each([
  ['/mark.png', 'cross-origin'],
  ['/updates/salaries.png', 'cross-origin'],
  ['/', 'same-origin'],
  ['/mark.svg', 'same-origin'],
  ['/assets/portrait-1a2b.jpg', 'same-origin'],
  ['/updates', 'same-origin'],
])('lets webmail show %s only if emails contain it: %s', (path, policy) => {
  const settings = { siteUrl: undefined, newsletterEndpoint: NEWSLETTER_PATH, hstsSubdomains: false };
  const { forPath } = makeSiteHeaders(
    { settings, assets: { loader: '/loader.js', interactions: '/interactions.js', fonts: [], shareImages: {} } },
    [],
  );
  expect(forPath(path)['Cross-Origin-Resource-Policy']).toBe(policy);
});

function policyWith(tags: Tag[], endpoint?: string): Record<string, string> {
  const policy = everywhere(tags, endpoint)['Content-Security-Policy']!;
  return Object.fromEntries(policy.split('; ').map((directive) => directive.split(/ (.*)/, 2) as [string, string]));
}

function everywhere(
  tags: Tag[],
  newsletterEndpoint: string = NEWSLETTER_PATH,
  styles?: Assets['styles'],
): Record<string, string> {
  const settings = { siteUrl: 'https://www.example.org', newsletterEndpoint, hstsSubdomains: false };
  const assets = {
    ...(styles && { styles }),
    loader: '/loader.js',
    interactions: '/interactions.js',
    fonts: [],
    shareImages: {},
  };
  return makeSiteHeaders({ settings, assets }, tags).everywhere;
}
