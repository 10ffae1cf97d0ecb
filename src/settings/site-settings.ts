import type { Environment } from './environment.ts';
import { NEWSLETTER_PATH } from '#shared/sign-up-rules.ts';

/** The settings of a build. Builds of the same content/ may have different ones. */
export type SiteSettings = {
  /** The site's public origin; undefined until the owner sets it. */
  siteUrl: string | undefined;
  /** Where the forms post: this site's server, or another URL that accepts the payload (specification, section 7). */
  newsletterEndpoint: string;
  /** Whether browsers must use TLS for every subdomain too. */
  hstsSubdomains: boolean;
};

export function pickSiteSettings(env: Environment): SiteSettings {
  return {
    siteUrl: env.SITE_URL,
    newsletterEndpoint: env.NEWSLETTER_ENDPOINT ?? NEWSLETTER_PATH,
    hstsSubdomains: env.HSTS_SUBDOMAINS,
  };
}
