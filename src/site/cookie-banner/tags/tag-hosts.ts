import type { Tag } from '#shared/agency-schema.ts';

/** Hosts by the directive of the Content-Security-Policy that admits them. */
type TagHosts = { script: string[]; connect: string[]; img: string[] };

/**
 * The hosts that the site's tags need, each once, in the form of the Content-Security-Policy.
 * Source for Google: https://developers.google.com/tag-platform/security/guides/csp
 */
export function listHosts(tags: Tag[]): TagHosts {
  const needed = tags.map(listHostsOfTag);
  const all = (directive: keyof TagHosts) => [...new Set(needed.flatMap((hosts) => hosts[directive]))];
  return { script: all('script'), connect: all('connect'), img: all('img') };
}

function listHostsOfTag(tag: Tag): TagHosts {
  switch (tag.kind) {
    case 'ga4':
      return {
        script: ['https://www.googletagmanager.com'],
        connect: ['https://*.google-analytics.com', 'https://*.analytics.google.com', 'https://*.googletagmanager.com'],
        img: ['https://*.google-analytics.com', 'https://*.googletagmanager.com'],
      };
    case 'plausible': {
      const host = new URL(tag.src).origin;
      return { script: [host], connect: [host], img: [] };
    }
    case 'script': {
      const hosts = [tag.src, ...tag.hosts].map((address) => new URL(address).origin);
      return { script: hosts, connect: hosts, img: hosts };
    }
  }
}
