import { readFileSync } from 'node:fs';
import { getMimeType } from 'hono/utils/mime';
import type { Rule } from './hosting-files.ts';

/**
 * The site on nginx, made from the templates in nginx/. What changes with a build stands in files of their own, which
 * belong to one release and name its folder: a reload takes pages and their headers together, and requests that have
 * begun end with the old ones.
 * Sources: nginx.org/en/docs/http/ngx_http_headers_module.html, nginx.org/en/docs/control.html.
 * @param release a name for this build's folder
 * @returns the files of dist/hosting/nginx, by their names
 */
export function nginxFiles({ everywhere, rules, siteUrl, release }: Release): Record<string, string> {
  const host = siteUrl === undefined ? 'www.example.org' : new URL(siteUrl).hostname;
  const names = new Set(rules.flatMap(({ headers }) => Object.keys(headers)));
  // Types are set for each address: a second Content-Type would stand beside the first.
  names.delete('Content-Type');
  const values: Record<string, string> = {
    HOST: host,
    FOLDER: `/var/www/${host}`,
    RELEASE: release,
    HEADERS: [
      ...Object.entries(everywhere).map(([name, value]) => `add_header ${name} ${quoted(value)} always;`),
      ...[...names].map((name) => `add_header ${name} ${variable(name)};`),
    ].join('\n'),
    PAGES: rules.flatMap(({ path }) => pageLocations(path)).join('\n'),
    TYPES: [...rules.flatMap(typeLocations), ...endingLocations(rules)].join('\n'),
  };
  const filled = (template: string) => {
    const text = readFileSync(new URL(`nginx/${template}`, import.meta.url), 'utf8');
    return text.replaceAll(/__([A-Z]+)__/g, (_, name: string) => values[name]!);
  };
  return {
    'site.conf': filled('site.conf'),
    'release/http.conf': [...names].map((name) => mapOf(name, rules)).join('\n'),
    'release/server.conf': filled('server.conf'),
    'deploy.sh': filled('deploy.sh'),
  };
}

type Release = { everywhere: Rule['headers']; rules: Rule[]; siteUrl: string | undefined; release: string };

/** Each page has one address; a file that ends in .html is served as it is. */
function pageLocations(path: string): string[] {
  if (path === '/') {
    return ['location = / { try_files /index.html =404; }', 'location = /index.html { return 301 /; }'];
  }
  if (path === '/404' || path.includes('.') || path.includes('*')) return [];
  return [
    `location = ${path} { try_files ${path}.html =404; }`,
    `location = ${path}.html { return 301 ${path}; }`,
    `location = ${path}/ { return 301 ${path}; }`,
  ];
}

function typeLocations({ path, headers }: Rule): string[] {
  const type = headers['Content-Type'];
  return type === undefined ? [] : [`location = ${quoted(path)} { types {} default_type ${quoted(type)}; }`];
}

/** The types that the site's own server gives: nginx knows fewer, and calls the rest plain text. */
function endingLocations(rules: Rule[]): string[] {
  const endings = rules.flatMap(({ path }) => /(?<=[^/]\.)[a-z\d]+$/i.exec(path)?.[0].toLowerCase() ?? []);
  return [...new Set(endings)].toSorted().flatMap((ending) => {
    const type = ending === 'html' ? undefined : getMimeType(`file.${ending}`);
    return type === undefined ? [] : [`location ~* \\.${ending}$ { types {} default_type ${quoted(type)}; }`];
  });
}

/** A header by address. Maps, since a location's own headers drop the others. */
function mapOf(name: string, rules: Rule[]): string {
  const lines = rules
    .filter(({ headers }) => name in headers)
    .map(({ path, headers }) => `    ${quoted(pattern(path))} ${quoted(headers[name]!)};`);
  return [`map $request_uri ${variable(name)} {`, '    default "";', ...lines, '}', ''].join('\n');
}

function variable(header: string): string {
  return `$site_${header.toLowerCase().replaceAll('-', '_')}`;
}

/** As it is asked for, a letter of a name standing for itself. */
function pattern(path: string): string {
  const literal = encodeURI(path).replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  return `~^${literal.replace('*', '[^?]*')}(\\?|$)`;
}

function quoted(value: string): string {
  return `"${value.replaceAll('"', '\\"')}"`;
}
