import { makeSiteHeaders } from '#build/site-headers.ts';
import { readBuiltSite } from '#build/built-site.ts';
import { readContent } from '#content/parse-content.ts';
import { checkBuiltSite } from './check-built-site.ts';
import { checkContent } from './check-content.ts';
import { checkLiveSite, type Expected } from './check-live-site.ts';
import { checkCountry, checkSettings } from './check-settings.ts';
import type { LaunchFinding } from './finding.ts';
import { parsePages } from './parse-page.ts';

/**
 * A site to check.
 * @property shown absolute path of the folder of the site that visitors see, with `site` and `content.json` in it
 * @property content absolute path of the folder of its content
 * @property updates the owner's emails to many people
 * @property variables the settings of the site: those of .env, and the owner's
 * @property origin the live site's, such as https://www.example.org; undefined to skip the live checks
 */
export type CheckedSite = {
  shown: string;
  content: string;
  updates: { name: string; text: string }[];
  variables: Record<string, string | undefined>;
  origin: string | undefined;
};

/** Finds everything that must be fixed before a site goes live. It builds nothing and changes nothing. */
export async function checkSite({ shown, content, updates, variables, origin }: CheckedSite): Promise<LaunchFinding[]> {
  const { agency } = readContent(content);
  return [
    ...checkContent(
      content,
      updates.map(({ name, text }) => ({ file: `updates/${name}.md`, text })),
    ),
    ...checkCountry(agency),
    ...checkSettings(agency, variables),
    ...checkBuiltSite(shown, agency),
    ...(origin === undefined ? [] : await checkLiveSite(origin, readExpected(shown, origin))),
  ];
}

function readExpected(shown: string, origin: string): Expected {
  const { assets, settings, content } = readBuiltSite(shown);
  // A desk on the owner's machine may have been built without the URL of the site.
  const site = { assets, settings: { ...settings, siteUrl: settings.siteUrl ?? origin } };
  const headers = makeSiteHeaders(site, content.agency.tags);
  return {
    paths: parsePages(shown).flatMap(({ path }) => (path === '/404' ? [] : [path])),
    headersFor: (path) => ({ ...headers.everywhere, ...headers.forPath(path) }),
  };
}
