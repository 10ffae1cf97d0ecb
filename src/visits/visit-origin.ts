import { readCampaign } from '#shared/newsletter.ts';
import { withoutAddresses } from '#shared/without-addresses.ts';

/** Where a visitor came from; each is empty where nothing is known. */
export type VisitOrigin = { referrer: string; campaign: string };

/**
 * @param referer the request's Referer; only its host is kept
 * @param ownHost the host of the site itself, which is no referrer
 * @param query what follows the `?` of the page's address
 */
export function readVisitOrigin(referer: string | undefined, ownHost: string | undefined, query: string): VisitOrigin {
  return {
    referrer: readReferrer(referer, ownHost),
    campaign: stripAddresses(readCampaign(query)),
  };
}

function readReferrer(referer: string | undefined, ownHost: string | undefined): string {
  const url = referer === undefined ? null : URL.parse(referer);
  if (url === null || !REFERRING.has(url.protocol) || url.host === ownHost) return '';
  return url.hostname.length <= 253 && PUBLIC_NAME.test(url.hostname) ? url.hostname : '';
}

/** Android apps send `android-app://com.linkedin.android/`, for example. */
const REFERRING = new Set(['http:', 'https:', 'android-app:']);

/** A name with a dot: an IP address or a name within a company says more of the visitor than of a site. */
const PUBLIC_NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.[a-z][a-z0-9-]+$/i;

/** A campaign as visits name it: without what may be an email address, and not too long. */
export function stripAddresses(campaign: string): string {
  if (campaign === '') return '';
  const pairs = campaign.split(/&(?=utm_)/).map((pair) => {
    const [name = '', ...value] = pair.split('=');
    // Mail programs put readers' addresses into links.
    return `${name}=${withoutAddresses(value.join('='))}`;
  });
  return [...pairs.join('&')].slice(0, MAX_CAMPAIGN_LENGTH).join('');
}

/** In characters: one day's campaigns must fit memory. */
const MAX_CAMPAIGN_LENGTH = 200;
