type Variables = Record<string, string | undefined>;

/** Hosts that build a connected repository, each with a variable that it sets in its builds. */
const HOSTS = [
  { name: 'Netlify', variable: 'NETLIFY', place: 'Project configuration, Environment variables' },
  { name: 'Cloudflare', variable: 'CF_PAGES', place: 'Settings, Variables and secrets' },
  { name: 'Cloudflare', variable: 'WORKERS_CI', place: 'Settings, Build, Variables and secrets' },
];

/**
 * Says why a build on a host that only serves files can't produce a working site.
 * @param variables the environment of the build
 * @returns undefined on the owner's machine, and if nothing is missing
 */
export function explainStaticHost(variables: Variables): string | undefined {
  if (variables.VERCEL) return VERCEL;
  const host = HOSTS.find(({ variable }) => variables[variable]);
  const missing = Object.keys(NEEDED).filter((name) => !variables[name]);
  if (host === undefined || missing.length === 0) return undefined;
  const reasons = missing.map((name) => `${name} ${NEEDED[name]}`).join(', and ');
  return `${host.name} can't build the site yet: set ${reasons}. Add ${missing.length === 1 ? 'it' : 'both'} in ${host.name} under ${host.place}, then deploy again (docs/hosts.md, "Static hosting").`;
}

const VERCEL =
  'Vercel would serve a connected repository without the site’s security headers. Build on your own machine and deploy the folder: npx vercel deploy dist/site --prod (docs/hosts.md, "Static hosting").';

const NEEDED: Record<string, string> = {
  SITE_URL: 'to the address of the site, such as https://www.example.org',
  NEWSLETTER_ENDPOINT: 'to the address that receives sign-ups, since this host can’t store them',
};
