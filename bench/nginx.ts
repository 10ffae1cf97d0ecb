import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../test/free-port.ts';

/** Where Debian's package libnginx-mod-http-brotli-static puts its module. */
const BROTLI = '/usr/lib/nginx/modules/ngx_http_brotli_static_module.so';

/**
 * Debian's nginx with one worker, serving a folder with the files that the build compressed.
 * @param site absolute path of the built site
 */
export async function startNginx(site: string): Promise<{ url: string; stop: () => Promise<void> }> {
  if (!existsSync(BROTLI))
    throw new Error('Install nginx, wrk and libnginx-mod-http-brotli-static to compare with nginx');
  const folder = await mkdtemp(join(tmpdir(), 'nginx-'));
  // Started by root, nginx reads as another user.
  await chmod(folder, 0o755);
  await cp(site, join(folder, 'site'), { recursive: true });
  const port = await freePort();
  await writeFile(join(folder, 'nginx.conf'), configuration(folder, port));
  const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(nginx, 'exit');
  const url = `http://127.0.0.1:${port}`;
  await Promise.race([answers(url), exited.then(() => Promise.reject(new Error('nginx ended before it answered')))]);
  return {
    url,
    stop: async () => {
      nginx.kill('SIGQUIT');
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}

function configuration(folder: string, port: number): string {
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
    listen 127.0.0.1:${port};
    root ${folder}/site;
    add_header Cache-Control no-cache;
  }
}
`;
}

async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await pause(100);
  }
  throw new Error(`${url} does not answer`);
}
