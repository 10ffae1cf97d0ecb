import type { Tag } from '#shared/tag.ts';

/** The parts of the banner by their ids: cookie-banner.tsx renders them, and banner.ts operates them. */
export const BANNER_PARTS = {
  root: 'cookie-banner',
  heading: 'cookie-banner-heading',
  toggle: 'cookie-details-toggle',
  details: 'cookie-details',
} as const;

/** Attributes that mark the banner's buttons, its first sentences and the link that opens it. */
export const CHOICE = 'data-choice';
export const CONFIRMATION = 'data-confirmation';
export const OPENING = 'data-opening';
export const COOKIE_SETTINGS = 'data-cookie-settings';

/** The site's optional tags, and the URL behind every "book a call": the banner's `data-tags`, as JSON. */
export type SiteTags = { tags: Tag[]; calendar: string };
