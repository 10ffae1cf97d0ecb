import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { addressesOf } from '#server/built-site.ts';
import { listFiles } from '#content/list-files.ts';
import { AGENCIES } from '../agencies/agencies.ts';
import { pagesOf, PUBLIC_SITE } from '../built-sites.ts';
import { freePort } from '../free-port.ts';

/** A release with other pages, and so other hashes. */
const OTHER_SITE = AGENCIES[0]!.build;

const FOLDER_ON_SERVER = /\/var\/www\/www\.example\.org/g;

describe.skipIf(!existsSync('/usr/sbin/nginx'))('the generated files on a real nginx', () => {
  let folder: string;
  let url: string;
  let nginx: ReturnType<typeof spawn>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nginx-site-'));
    // Started by root, nginx reads as another user.
    await chmod(folder, 0o755);
    for (const build of [PUBLIC_SITE, OTHER_SITE]) copyRelease(build);
    use(PUBLIC_SITE);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    writeFileSync(
      join(folder, 'nginx.conf'),
      `pid ${folder}/nginx.pid;\nworker_processes 2;\nevents {}\nhttp {\n  include /etc/nginx/mime.types;\n  access_log off;\n${placed(
        readFileSync(join(PUBLIC_SITE, 'hosting/nginx/site.conf'), 'utf8'),
      )
        .replace('listen 80;', `listen 127.0.0.1:${port};`)
        .replace('listen [::]:80;', '')}\n}\n`,
    );
    nginx = spawn('/usr/sbin/nginx', ['-c', join(folder, 'nginx.conf'), '-g', 'daemon off;', '-e', 'stderr'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await vi.waitFor(() => fetch(url), { timeout: 10_000 });
  });

  afterAll(async () => {
    const ended = once(nginx, 'exit');
    nginx.kill('SIGQUIT');
    await ended;
    await rm(folder, { recursive: true });
  });

  test('each address answers, as the site’s own server does', async () => {
    for (const [path] of addressesOf(PUBLIC_SITE)) {
      expect([path, (await ask(path)).status]).toEqual([path, path === '/404' ? 404 : 200]);
    }
  });

  test.each([
    ['/index.html', '/'],
    ['/privacy-policy.html', '/privacy-policy'],
    ['/privacy-policy/', '/privacy-policy'],
  ])('%s leads to the one address of the page', async (path, address) => {
    const answer = await ask(path);
    expect(answer.status).toBe(301);
    expect(new URL(answer.headers.get('location')!, url).pathname).toBe(address);
  });

  test.each(['/404.html', '/_headers', '/vercel.json', '/index.html.br', '/favicon.svg.gz', '/nowhere'])(
    '%s is not served',
    async (path) => expect((await fetch(url + path)).status).toBe(404),
  );

  test('what the build has compressed is not served by itself, in assets/ either', async () => {
    const script = listFiles(join(PUBLIC_SITE, 'site/assets')).find((file) => file.endsWith('.js.br'))!;
    expect((await fetch(`${url}/assets/${script}`)).status).toBe(404);
    expect((await fetch(`${url}/assets/${script.replace(/\.br$/, '')}`)).status).toBe(200);
  });

  test('what is compressed says that it varies', async () => {
    const answer = await fetch(url, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('vary')).toMatch(/accept-encoding/i);
  });

  test('a release under load fails no request, and no page meets the headers of another', async () => {
    const seen = new Set<string>();
    const load = new AbortController();
    const visitor = async () => {
      let requests = 0;
      while (!load.signal.aborted) {
        const answer = await ask('/');
        const page = await answer.text();
        expect(answer.status).toBe(200);
        const style = /<style[^>]*>(.*?)<\/style>/s.exec(page)![1]!;
        const hash = createHash('sha256').update(style).digest('base64');
        expect(answer.headers.get('content-security-policy')).toContain(`'sha256-${hash}'`);
        const script = /<script type="module"[^>]* src="([^"]+)"/.exec(page)![1]!;
        expect((await ask(script)).status).toBe(200);
        seen.add(hash);
        requests += 2;
      }
      return requests;
    };
    const visitors = Promise.all(Array.from({ length: 8 }, visitor));
    for (const build of [OTHER_SITE, PUBLIC_SITE, OTHER_SITE, PUBLIC_SITE]) {
      use(build);
      nginx.kill('SIGHUP');
      await expect.poll(async () => (await ask('/')).text()).toBe(readFileSync(join(build, 'site/index.html'), 'utf8'));
    }
    load.abort();
    const requests = (await visitors).reduce((sum, each) => sum + each, 0);
    expect(seen.size).toBe(2);
    expect(requests).toBeGreaterThan(100);
  });

  function ask(path: string): Promise<Response> {
    const options = { redirect: 'manual' } as const;
    // A connection that nginx closes between two requests is no failure: browsers ask again (RFC 9112, section 9.3.1).
    return fetch(url + path, options).catch(() => fetch(url + path, options));
  }

  /** As deploy.sh copies a build to a server. */
  function copyRelease(build: string): void {
    const hosting = join(build, 'hosting/nginx');
    const release = releaseOf(build);
    mkdirSync(join(folder, `releases/${release}.conf`), { recursive: true });
    cpSync(join(build, 'site/assets'), join(folder, 'assets'), { recursive: true });
    cpSync(join(build, 'site'), join(folder, `releases/${release}`), { recursive: true });
    for (const file of ['http.conf', 'server.conf']) {
      const text = placed(readFileSync(join(hosting, 'release', file), 'utf8'));
      writeFileSync(join(folder, `releases/${release}.conf`, file), text);
    }
  }

  function use(build: string): void {
    rmSync(join(folder, 'current'), { force: true });
    symlinkSync(`releases/${releaseOf(build)}.conf`, join(folder, 'current'));
  }

  function placed(text: string): string {
    return text.replaceAll(FOLDER_ON_SERVER, folder);
  }
});

test('every page has its headers in the files of its release', () => {
  const maps = readFileSync(join(PUBLIC_SITE, 'hosting/nginx/release/http.conf'), 'utf8');
  for (const { path } of pagesOf(PUBLIC_SITE)) expect(maps).toContain(`~^${path}(`);
});

function releaseOf(build: string): string {
  const conf = readFileSync(join(build, 'hosting/nginx/release/server.conf'), 'utf8');
  return /releases\/(\w+);/.exec(conf)![1]!;
}
