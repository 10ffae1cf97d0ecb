import type { Headers, Rule } from './hosting-files.ts';

/** Files that are there for other hosts, or beside what they compress. */
const NOT_SERVED = String.raw`~ (^/(_headers|vercel\.json)$|\.(br|gz)$)`;

/**
 * The site on nginx. What changes with a build stands in files of their own, which belong to one release and name its
 * folder: a reload takes pages and their headers together, and requests that have begun end with the old ones.
 * Sources: nginx.org/en/docs/http/ngx_http_headers_module.html, nginx.org/en/docs/control.html.
 * @param release a name for this build's folder
 * @returns the files of dist/hosting/nginx, by their names
 */
export function nginxFiles(of: {
  everywhere: Headers;
  rules: Rule[];
  siteUrl: string | undefined;
  release: string;
}): Record<string, string> {
  const { everywhere, rules, siteUrl, release } = of;
  const host = siteUrl === undefined ? 'www.example.org' : new URL(siteUrl).hostname;
  const folder = `/var/www/${host}`;
  // Maps, since a location's own headers drop the others.
  const names = [...new Set(rules.flatMap(({ headers }) => Object.keys(headers)))].filter(
    (name) => name !== 'Content-Type',
  );
  return {
    'site.conf': siteConf(host, folder),
    'release/http.conf': names.map((name) => mapOf(name, rules)).join('\n'),
    'release/server.conf': serverConf({ everywhere, rules, names, folder, release }),
    'deploy.sh': deployScript(host, folder, release),
  };
}

/** Copied once: certbot adds its lines here, and no build changes it. */
function siteConf(host: string, folder: string): string {
  return `# ${host} on nginx. deploy.sh copies this file once; certbot --nginx adds the certificate and the redirect to https.
include ${folder}/current/http.conf;
server {
    listen 80;
    listen [::]:80;
    server_name ${host};
    include ${folder}/current/server.conf;
    include ${folder}/extras*.conf;
}
`;
}

function mapOf(name: string, rules: Rule[]): string {
  const lines = rules
    .filter(({ headers }) => name in headers)
    .map(({ path, headers }) => `    ${quoted(pattern(path))} ${quoted(headers[name]!)};`);
  return [`map $request_uri ${variable(name)} {`, '    default "";', ...lines, '}', ''].join('\n');
}

function serverConf(of: {
  everywhere: Headers;
  rules: Rule[];
  names: string[];
  folder: string;
  release: string;
}): string {
  const { everywhere, rules, names, folder, release } = of;
  const types = rules.filter(({ path, headers }) => 'Content-Type' in headers || path.endsWith('.webmanifest'));
  return [
    `root ${folder}/releases/${release};`,
    'charset utf-8;',
    'gzip_static on;',
    'gzip_vary on;',
    'error_page 404 /404.html;',
    ...Object.entries(everywhere).map(([name, value]) => `add_header ${name} ${quoted(value)} always;`),
    ...names.map((name) => `add_header ${name} ${variable(name)};`),
    '# A page that was fetched before a release still finds its scripts: what assets/ holds is named by its content.',
    `location ^~ /assets/ { root ${folder}; }`,
    'location / { try_files $uri =404; }',
    ...rules.flatMap(({ path }) => pageLocations(path)),
    'location = /404 { return 404; }',
    'location = /404.html { internal; }',
    `location ${NOT_SERVED} { return 404; }`,
    ...types.map(
      ({ path, headers }) =>
        `location = ${path} { types {} default_type ${headers['Content-Type'] ?? 'application/manifest+json'}; }`,
    ),
    '',
  ].join('\n');
}

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

/** Copies first, then takes the release into use with one reload. */
function deployScript(host: string, folder: string, release: string): string {
  return `#!/bin/sh
# Puts this build on a server with nginx: sh dist/hosting/nginx/deploy.sh user@server
set -eu
server=\${1:?"expected the server, such as root@${host}"}
here=$(cd "$(dirname "$0")" && pwd)
ssh "$server" 'mkdir -p ${folder}/assets ${folder}/releases'
rsync --archive "$here/../../site/assets/" "$server:${folder}/assets/"
rsync --archive --exclude assets --exclude _headers --exclude vercel.json "$here/../../site/" "$server:${folder}/releases/${release}/"
ls "$here/../../site/assets" > "$here/release/assets.txt"
rsync --archive "$here/release/" "$server:${folder}/releases/${release}.conf/"
rsync --archive --ignore-existing "$here/site.conf" "$server:/etc/nginx/conf.d/${host}.conf"
ssh "$server" sh -eu <<'END'
conf=/etc/nginx/conf.d/${host}.conf
# What is in use until now counts as new, however long ago it was built: pages that visitors have open still ask for it.
if old=$(readlink ${folder}/current); then
    (cd ${folder} && touch "$old" "\${old%.conf}" && cd assets && xargs touch -c < "../$old/assets.txt") || true
fi
ln -sfn releases/${release}.conf ${folder}/current
: > ${folder}/extras.conf
# Brotli where its module is loaded; HTTP/2 as this nginx says it, once certbot has made the site listen on 443.
if nginx -T 2>/dev/null | grep -q brotli_static_module; then echo 'brotli_static on;' >> ${folder}/extras.conf; fi
if [ "$(printf '1.25.1\\n%s\\n' "$(nginx -v 2>&1 | sed 's|.*/||; s| .*||')" | sort -V | head -1)" = 1.25.1 ]; then
    echo 'http2 on;' >> ${folder}/extras.conf
else
    sed -i 's/\\(listen .*443 ssl\\);/\\1 http2;/' "$conf"
fi
nginx -t
nginx -s reload
# Scripts and styles that no release of the last 30 days names.
find ${folder}/assets ${folder}/releases -mindepth 1 -maxdepth 1 -mtime +30 ! -name '${release}*' -exec rm -r {} +
END
`;
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
