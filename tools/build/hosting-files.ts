import type { SiteHeaders } from '#server/headers.ts';

type Headers = Record<string, string>;

/** A path of the built site as a visitor asks for it. */
export type SiteFile = { path: string; isDocument: boolean };

/**
 * What other hosts need to answer as the site's own server does, each in the form of its host.
 * @param files every file of the built site
 * @param siteUrl the origin that the site will have, if it is known
 * @returns the contents of `_headers`, `vercel.json` and `nginx.conf`
 */
export function hostingFiles(
  headers: SiteHeaders,
  files: SiteFile[],
  siteUrl: string | undefined,
): { headers: string; vercel: string; nginx: string } {
  const rules: Rule[] = [
    { path: '/assets/*', headers: headers.of({ path: '/assets/any', isDocument: false }) },
    ...files
      .filter(({ path }) => !path.startsWith('/assets/'))
      .map((file) => ({ path: file.path, headers: headers.of(file) })),
  ];
  return {
    headers: headersFile(headers.everywhere, rules),
    vercel: vercelFile(headers.everywhere, rules),
    nginx: nginxFile(headers.everywhere, rules, siteUrl),
  };
}

/** No header stands in two rules for one path: hosts differ in which of them would win. */
type Rule = { path: string; headers: Headers };

/** Cloudflare Pages and Netlify. Sources: developers.cloudflare.com/pages/configuration/headers, docs.netlify.com/routing/headers. */
function headersFile(everywhere: Headers, rules: Rule[]): string {
  return [{ path: '/*', headers: everywhere }, ...rules]
    .map(({ path, headers }) =>
      [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n'),
    )
    .join('\n')
    .concat('\n');
}

/** Source: vercel.com/docs/project-configuration. */
function vercelFile(everywhere: Headers, rules: Rule[]): string {
  const headers = [{ path: '/*', headers: everywhere }, ...rules].map((rule) => ({
    source: rule.path.replace('*', '(.*)'),
    headers: Object.entries(rule.headers).map(([key, value]) => ({ key, value })),
  }));
  return `${JSON.stringify({ cleanUrls: true, trailingSlash: false, headers }, null, 2)}\n`;
}

/** Source: nginx.org/en/docs/http/ngx_http_headers_module.html. Maps, since a location's own headers drop the others. */
function nginxFile(everywhere: Headers, rules: Rule[], siteUrl: string | undefined): string {
  const host = siteUrl === undefined ? 'www.example.org' : new URL(siteUrl).host;
  const names = [...new Set(rules.flatMap(({ headers }) => Object.keys(headers)))].filter(
    (name) => name !== 'Content-Type',
  );
  const maps = names.map((name) =>
    [
      `map $request_uri ${variable(name)} {`,
      '    default "";',
      ...rules
        .filter(({ headers }) => name in headers)
        .map(({ path, headers }) => `    ${quoted(pattern(path))} ${quoted(headers[name]!)};`),
      '}',
    ].join('\n'),
  );
  const types = rules.filter(({ path, headers }) => 'Content-Type' in headers || path.endsWith('.webmanifest'));
  return [
    `# The static site on nginx: copy dist/site to /var/www/${host} and this file to /etc/nginx/conf.d/.`,
    '# Then run certbot --nginx, which adds the certificate and the redirect to https.',
    ...maps,
    'server {',
    '    listen 80;',
    '    listen [::]:80;',
    `    server_name ${host};`,
    `    root /var/www/${host};`,
    '    charset utf-8;',
    '    gzip_static on;',
    '    error_page 404 /404.html;',
    ...Object.entries(everywhere).map(([name, value]) => `    add_header ${name} ${quoted(value)} always;`),
    ...names.map((name) => `    add_header ${name} ${variable(name)};`),
    '    location / {',
    '        try_files $uri $uri.html $uri/index.html =404;',
    '    }',
    ...types.map(
      ({ path, headers }) =>
        `    location = ${path} {\n        types {}\n        default_type ${headers['Content-Type'] ?? 'application/manifest+json'};\n    }`,
    ),
    '}',
  ]
    .join('\n')
    .concat('\n');
}

function variable(header: string): string {
  return `$site_${header.toLowerCase().replaceAll('-', '_')}`;
}

function pattern(path: string): string {
  return `~^${path.replaceAll('.', '\\.').replace('*', '[^?]*')}(\\?|$)`;
}

function quoted(value: string): string {
  return `"${value.replaceAll('"', '\\"')}"`;
}
