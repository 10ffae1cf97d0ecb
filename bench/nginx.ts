import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { end, type Running } from './server.ts';

/** Where Debian's package libnginx-mod-http-brotli-static puts its module. */
const BROTLI = '/usr/lib/nginx/modules/ngx_http_brotli_static_module.so';

/** Debian's nginx with one worker, serving a folder with the files that the build compressed. */
export async function startNginx(site: string): Promise<Running> {
  if (!existsSync(BROTLI))
    throw new Error('Install nginx, wrk and libnginx-mod-http-brotli-static to compare with nginx');
  const folder = await mkdtemp(join(tmpdir(), 'nginx-'));
  // Started by root, nginx reads as another user.
  await chmod(folder, 0o755);
  await cp(site, join(folder, 'site'), { recursive: true });
  // Named by the process, since nginx does not say which port it was given.
  const host = `127.0.0.1:${20_000 + (process.pid % 10_000)}`;
  const url = `http://${host}`;
  await writeFile(join(folder, 'nginx.conf'), configuration(folder, host));
  const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'], { stdio: 'inherit' });
  for (let tries = 0; !(await fetch(url).catch(() => undefined))?.ok; tries += 1) {
    if (tries === 50 || nginx.exitCode !== null) throw new Error(`nginx does not answer at ${url}`);
    await pause(100);
  }
  return { url, stop: () => end(nginx, 'SIGQUIT').then(() => rm(folder, { recursive: true })) };
}

function configuration(folder: string, address: string): string {
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
load_module ${BROTLI};
events { worker_connections 1024; }
http {
  include /etc/nginx/mime.types;
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  open_file_cache max=1000;
  brotli_static on;
  gzip_static on;
  server {
    listen ${address};
    root ${folder}/site;
    add_header Cache-Control no-cache;
  }
}
`;
}
