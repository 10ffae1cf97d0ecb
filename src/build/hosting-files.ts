import { writeFile } from 'node:fs/promises';
import { encodeUrlPath } from '#content/url-path.ts';
import type { Redirect } from '#content/schemas/pages-schema.ts';
import type { Tag } from '#shared/tag.ts';
import { listUrlPaths, type BuiltSite, toPagePath } from './built-site.ts';
import { makeSiteHeaders, UPDATE_PICTURES } from './site-headers.ts';

/** Headers for a path. No two rules set the same header for one path, since hosts differ in which rule wins. */
type Rule = { path: string; headers: Record<string, string> };

/**
 * Writes the configuration that makes other hosts respond like the site's own server: `_headers`,
 * `_redirects` and `vercel.json` in the built site.
 * @param out the folder with `site` and `server` in it
 * @returns a sentence for each host limit that the site exceeds
 */
export async function writeHostingFiles(out: string, site: BuiltSite, tags: Tag[]): Promise<string[]> {
  const { everywhere, forPath } = makeSiteHeaders(site, tags);
  const files = listUrlPaths(out);
  // A rule for each file of assets/, not one for the folder: the response to a missing file would be cached for a year.
  const ofFolders: Rule[] = [
    { path: '/*', headers: everywhere },
    { path: `${UPDATE_PICTURES}*`, headers: forPath(UPDATE_PICTURES) },
  ];
  const ofFiles: Rule[] = [...files.keys()]
    .filter((path) => !path.startsWith(UPDATE_PICTURES))
    .map((path) => ({ path, headers: forPath(path) }));
  const rules = [...ofFolders, ...ofFiles];
  const inHeaders = [...ofFolders, ...ofFiles.filter(({ path }) => !isPattern(path))];
  const { redirects } = site.content.pages;
  const documents = site.documents.filter((file) => !['index.html', '404.html'].includes(file));
  const ownPages = [...files.keys()].filter((path) => path.endsWith('.html'));
  await writeFile(`${out}/site/_headers`, formatHeadersFile(inHeaders));
  await writeFile(`${out}/site/_redirects`, formatRedirectsFile(redirects, ownPages));
  await writeFile(`${out}/site/vercel.json`, formatVercelFile(rules, redirects, documents));
  return [...findExceededLimits(inHeaders), ...findPatterns(ofFiles), ...findUnsupportedRedirects(redirects)];
}

/**
 * The format of Cloudflare Pages and Netlify. Sources: developers.cloudflare.com/pages/configuration/headers,
 * docs.netlify.com/routing/headers.
 */
function formatHeadersFile(rules: Rule[]): string {
  const lines = rules.flatMap(({ path, headers }) => listForms(path).flatMap((form) => [form, ...listLines(headers)]));
  return `${lines.join('\n')}\n`;
}

/** Cloudflare redirects `/[x].pdf`, which browsers request, to `/%5Bx%5D.pdf`. */
function listForms(path: string): string[] {
  const sent = encodeUrlPath(path);
  return [...new Set([sent, sent.replaceAll(/[[\]|]/g, encodeURIComponent)])];
}

function listLines(headers: Record<string, string>): string[] {
  return Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`);
}

/**
 * Cloudflare Pages and Netlify read this file too. Cloudflare would redirect the owner's own HTML files to their names
 * without the extension, and services that look for a verification file, such as Google's, don't follow redirects.
 */
function formatRedirectsFile(redirects: Redirect[], ownPages: string[]): string {
  const lines = [
    ...redirects.flatMap(({ from, to }) => [`${from} ${to} 301`, `${from}/ ${to} 301`]),
    ...ownPages.map(encodeUrlPath).map((path) => `${path} ${path.replace(/\.html$/, '')} 200`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Vercel's format. Source: vercel.com/docs/project-configuration. */
function formatVercelFile(rules: Rule[], redirects: Redirect[], documents: string[]): string {
  const pages = documents.map((file) => ({ file: `/${file}`, path: toPagePath(file) }));
  const file = {
    trailingSlash: false,
    redirects: [
      ...redirects.map(({ from, to }) => ({
        source: escapePattern(from),
        destination: escapeTarget(to),
        statusCode: 301,
      })),
      ...pages.map(({ file: source, path }) => ({ source: toPattern(source), destination: path, statusCode: 308 })),
    ],
    rewrites: pages.map(({ file: destination, path }) => ({ source: toPattern(path), destination })),
    headers: rules.map(({ path, headers }) => ({
      source: path.endsWith('*') ? `${path.slice(0, -1)}(.*)` : toPattern(path),
      headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
    })),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** @returns the path of a file as a pattern of path-to-regexp */
function toPattern(path: string): string {
  return escapePattern(encodeUrlPath(path));
}

/** Escapes the characters that have a meaning in a pattern. */
function escapePattern(path: string): string {
  return path.replaceAll(/[\\(){}:*+?]/g, String.raw`\$&`);
}

/** In a target's path, Vercel would read `:name` and `(…)` as references to the source, and reject the file. */
function escapeTarget(url: string): string {
  const [, host = '', path = '', rest] = /^(https:\/\/[^/]*)?([^?#]*)(.*)$/.exec(url)!;
  const NAMES: Record<string, string> = { ':': '%3A', '(': '%28', ')': '%29' };
  return host + path.replaceAll(/[:()]/g, (found) => NAMES[found]!) + rest;
}

/** Source: developers.cloudflare.com/pages/configuration/headers. */
const LIMITS = { rules: 100, line: 2000 };

function findExceededLimits(rules: Rule[]): string[] {
  const long = rules.flatMap(({ headers }) => listLines(headers)).find((line) => line.length > LIMITS.line);
  const count = rules.flatMap(({ path }) => listForms(path)).length;
  const manyRules = `${count} files have rules in _headers, but Cloudflare Pages reads only ${LIMITS.rules}, so the last ones have no headers on that host. Put fewer files into public/, or use another host.`;
  const longLine = `The header ${long?.trim().split(':', 1)[0]} has ${long?.length} characters, but Cloudflare Pages reads only lines of up to ${LIMITS.line} and would drop this one. Use fewer tags or hosts in agency.yaml, or another host.`;
  return [...(count > LIMITS.rules ? [manyRules] : []), ...(long === undefined ? [] : [longLine])];
}

/** Whether `_headers` would apply a file's rule to other files too. The characters can't be escaped there. */
function isPattern(path: string): boolean {
  return /\*|:[a-z]/i.test(path);
}

function findPatterns(rules: Rule[]): string[] {
  const found = rules.filter(({ path }) => isPattern(path));
  return found.map(
    ({ path }) =>
      `public${path} has no headers of its own on Cloudflare Pages and Netlify, which read * and : as patterns. Give the file another name.`,
  );
}

/** Vercel decodes the query before it looks for references, so they can't be escaped there. */
function findUnsupportedRedirects(redirects: Redirect[]): string[] {
  return redirects
    .filter(({ to }) => /^[^#]*\?[^#]*([:(]|%3A|%28)/i.test(to))
    .map(
      ({ from, to }) =>
        `Vercel would reject vercel.json, since ${from} redirects to ${to}, which has a : or ( after its ?. Choose a target without it in pages.yaml, or use another host.`,
    );
}
