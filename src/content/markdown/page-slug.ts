import slugify from '@sindresorhus/slugify';

/** Makes the last part of a page's URL from its name, in Latin letters: `Straße` is `strasse`. */
export function toSlug(name: string): string {
  // Copied text has soft hyphens and other invisible characters.
  return slugify(name.normalize('NFKC').replaceAll(/\p{Cf}/gu, ''), { decamelize: false });
}

/**
 * @param slug of a page in Markdown, such as `terms`
 * @returns why no page can have this path; undefined if one can
 */
export function findSlugError(slug: string): string | undefined {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug))
    return 'its address may have only lowercase Latin letters, digits and hyphens';
  if (slug.length > MAX_LENGTH)
    return `its address would have ${slug.length} characters; expected at most ${MAX_LENGTH}`;
  if (RESERVED_SLUGS.has(slug)) return `the path /${slug} is taken`;
  if (WINDOWS_DEVICES.test(slug)) return `Windows can't store a file with the name ${slug}`;
  return undefined;
}

/** Longer addresses are cut off in emails and search results. */
const MAX_LENGTH = 60;

/** Paths with another handler. */
const RESERVED_SLUGS = new Set([
  'privacy-policy',
  'index',
  '404',
  'healthz',
  'desk',
  // Folders of the site.
  'api',
  'newsletter',
  'assets',
  'preview',
  'updates',
]);

const WINDOWS_DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)$/;
