import type { Tag } from '#shared/tag.ts';

/**
 * The ids of the banner's parts: cookie-banner.tsx renders them, and banner.ts controls them. None has a name that
 * is on a filter list: EasyList Cookie hides #cookie-banner, so the visitor would never be asked.
 */
export const BANNER_PARTS = {
  root: 'ask-first',
  heading: 'ask-first-heading',
  toggle: 'ask-first-toggle',
  details: 'ask-first-details',
} as const;

/** Attributes that mark the banner's buttons, its first sentences and the link that opens it. */
export const CHOICE = 'data-choice';
export const CONFIRMATION = 'data-confirmation';
export const OPENING = 'data-opening';
export const COOKIE_SETTINGS = 'data-ask-first';

/** The site's optional tags, and the URL of every "book a call" link: the banner's `data-tags`, as JSON. */
export type SiteTags = { tags: Tag[]; calendar: string };

/** @returns undefined if an extension removed the banner */
export function findBannerRoot(): HTMLElement | undefined {
  return document.getElementById(BANNER_PARTS.root) ?? undefined;
}
