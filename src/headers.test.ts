import { describe, expect, it } from 'vitest';
import type { Tag } from './content-schema.ts';
import { siteHeaders } from './headers.ts';
import { NEWSLETTER_PATH } from './newsletter.ts';

const anyTag: Pick<Tag, 'id' | 'category' | 'provider' | 'purpose' | 'cookies' | 'storage'> = {
  id: 'tag',
  category: 'statistics',
  provider: 'Tags Ltd',
  purpose: 'Counting',
  cookies: [],
  storage: [],
};
const plausible: Tag = { ...anyTag, kind: 'plausible', src: 'https://plausible.io/js/pa-x.js' };
const google: Tag = { ...anyTag, kind: 'ga4', measurementId: 'G-X' };
const script: Tag = {
  ...anyTag,
  kind: 'script',
  src: 'https://tags.example/a/tag.js?id=1',
  hosts: ['https://collect.tags.example/'],
};

describe('the hosts that a browser may load from and send to', () => {
  it('are the site alone while it has no tags, and no script may be made of a text', () => {
    const policy = policyWith([]);
    expect(policy['script-src']).toBe("'self'");
    expect(policy['connect-src']).toBe("'self'");
    expect(policy['img-src']).toBe("'self'");
    expect(policy['trusted-types']).toBe("'none'");
  });

  it('are for Plausible its own, for its script and its count', () => {
    const policy = policyWith([plausible]);
    expect(policy['script-src']).toBe("'self' https://plausible.io");
    expect(policy['connect-src']).toBe("'self' https://plausible.io");
    expect(policy['img-src']).toBe("'self'");
    expect(policy['trusted-types']).toBe('default');
  });

  it('are for Google the ones that it documents, and the policy that its tag makes itself', () => {
    const policy = policyWith([google]);
    expect(policy['script-src']).toBe("'self' https://www.googletagmanager.com");
    expect(policy['connect-src']).toContain('https://*.google-analytics.com');
    expect(policy['img-src']).toContain('https://*.google-analytics.com');
    expect(policy['trusted-types']).toBe('default goog#html');
  });

  it('are for a plain script its own and those listed, each once however many tags share it', () => {
    const policy = policyWith([script, { ...script, id: 'other' }]);
    for (const directive of ['script-src', 'connect-src', 'img-src']) {
      expect(policy[directive]).toBe("'self' https://tags.example https://collect.tags.example");
    }
    expect(policy['form-action']).toBe("'self'");
  });
});

function policyWith(tags: Tag[]): Record<string, string> {
  const site = {
    assets: { styles: {}, wake: [], notFound: { src: '' }, fonts: [], shareImages: {} },
    settings: { siteUrl: undefined, newsletterEndpoint: NEWSLETTER_PATH },
  };
  const policy = siteHeaders(site, tags).everywhere['Content-Security-Policy']!;
  return Object.fromEntries(policy.split('; ').map((directive) => directive.split(/ (.*)/, 2) as [string, string]));
}
