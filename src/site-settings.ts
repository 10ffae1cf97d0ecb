/** What the owner sets where the site is built, as against content/, which is the same wherever it is built. */
import { z } from 'zod';
import { NEWSLETTER_PATH } from './newsletter.ts';

export type SiteSettings = {
  /** The address under which the site is public, without a slash at its end; undefined until the owner sets it. */
  siteUrl: string | undefined;
  /** Where the forms post: this site's own receiver, or an address elsewhere that takes the payload of section 7. */
  newsletterEndpoint: string;
};

const siteUrl = z
  .url({ protocol: /^https?$/, error: 'SITE_URL: expected an address such as https://www.example.org' })
  .refine((value) => new URL(value).pathname === '/', 'SITE_URL: expected an address without a path')
  .transform((value) => new URL(value).origin);

const newsletterEndpoint = z.url({
  protocol: /^https?$/,
  error: 'NEWSLETTER_ENDPOINT: expected an address such as https://script.example.org/exec',
});

/**
 * @param environment usually `process.env`; an empty variable counts as not set
 * @throws {Error} naming the variable and what was expected
 */
export function readSiteSettings(environment: Record<string, string | undefined>): SiteSettings {
  return {
    siteUrl: environment.SITE_URL ? checked(siteUrl, environment.SITE_URL) : undefined,
    newsletterEndpoint: environment.NEWSLETTER_ENDPOINT
      ? checked(newsletterEndpoint, environment.NEWSLETTER_ENDPOINT)
      : NEWSLETTER_PATH,
  };
}

function checked(schema: z.ZodType<string>, value: string): string {
  const result = schema.safeParse(value);
  if (!result.success) throw new Error(result.error.issues.map((issue) => issue.message).join('\n'));
  return result.data;
}
