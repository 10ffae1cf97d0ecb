import type { Tag } from '#shared/tag.ts';

/** The Content-Security-Policy directives that tags need hosts in. */
const DIRECTIVES = ['script', 'style', 'img', 'connect', 'frame'] as const;

/** The Trusted Types policy with which tags are loaded. */
export const TAG_POLICY = 'tags';

/** Hosts that a page may load from or send to, by directive. */
type TagHosts = Record<(typeof DIRECTIVES)[number], string[]>;

/** The hosts that the site's tags need, each once, as Content-Security-Policy sources. */
export function listHosts(tags: Tag[]): TagHosts {
  const needed = tags.map((tag) => ({ own: listHostsOfTag(tag), further: tag.hosts.map(toHost) }));
  const list = (directive: keyof TagHosts) => [
    ...new Set(needed.flatMap(({ own, further }) => [...(own[directive] ?? []), ...further])),
  ];
  return Object.fromEntries(DIRECTIVES.map((directive) => [directive, list(directive)])) as TagHosts;
}

/** Whether a host of the list, which may be `https://*.example.com`, covers a URL. */
export function isOnHost(hosts: string[], url: string): boolean {
  const { origin, protocol, hostname } = new URL(url);
  return hosts.some((host) =>
    host.includes('*')
      ? host.startsWith(protocol) && hostname.endsWith(host.slice(host.indexOf('*') + 1))
      : host === origin,
  );
}

function listHostsOfTag(tag: Tag): Partial<TagHosts> {
  switch (tag.kind) {
    case 'ga4':
      return listGoogleHosts(tag.adsId !== undefined);
    case 'plausible':
      return { script: [toHost(tag.src)], connect: [toHost(tag.src)] };
    case 'linkedin': {
      const collect = ['https://*.linkedin.com', 'https://cdn.linkedin.oribi.io'];
      return { script: ['https://snap.licdn.com'], connect: collect, img: collect };
    }
    case 'meta': {
      const collect = ['https://*.facebook.com', 'https://connect.facebook.net'];
      return { script: ['https://connect.facebook.net'], connect: collect, img: collect };
    }
    case 'matomo': {
      const host = toHost(tag.url);
      return { script: [toHost(tag.src ?? tag.url)], connect: [host], img: [host] };
    }
    case 'calendly': {
      const assets = ['https://assets.calendly.com'];
      return { script: assets, style: assets, img: assets, frame: ['https://calendly.com'] };
    }
    case 'script': {
      const hosts = [toHost(tag.src)];
      return { script: hosts, style: hosts, img: hosts, connect: hosts, frame: hosts };
    }
  }
}

/**
 * The hosts of Google Analytics with Google signals, and those that Google Ads adds. A policy can't list all of
 * Google's country domains. Source: https://developers.google.com/tag-platform/security/guides/csp
 */
function listGoogleHosts(hasAds: boolean): Partial<TagHosts> {
  const ads = hasAds ? ['https://www.googleadservices.com', 'https://googleads.g.doubleclick.net'] : [];
  const collect = [
    'https://*.google-analytics.com',
    'https://*.analytics.google.com',
    'https://*.googletagmanager.com',
    'https://*.g.doubleclick.net',
    'https://*.google.com',
    'https://*.google.co.uk',
    'https://pagead2.googlesyndication.com',
    ...ads.slice(0, 1),
  ];
  return {
    script: ['https://www.googletagmanager.com', ...ads],
    connect: collect,
    img: collect,
    frame: ['https://td.doubleclick.net', 'https://www.googletagmanager.com'],
  };
}

/** `URL` keeps the asterisk of `https://*.example.com`. */
function toHost(url: string): string {
  return new URL(url).origin;
}
