import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { freePort } from '../free-port.ts';
import { makeFolder } from '../make-folder.ts';

/** Whether this machine has a program. Debian installs nginx in a folder that only root's PATH has. */
export function hasProgram(name: 'nginx' | 'caddy'): boolean {
  return spawnSync(name, [name === 'nginx' ? '-v' : 'version'], { env: ENV }).status === 0;
}

const ENV = { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` };

/**
 * Starts nginx on a free loopback port, and stops it after the test.
 * @param location the body of `location / { … }`
 * @param http added to the `http` block
 */
export async function startNginx(location: string, http = ''): Promise<string> {
  const [port, folder] = [await freePort(), makeFolder()];
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 256; }
http {
  access_log off;
  ${paths.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  ${http}
  server { listen 127.0.0.1:${port}; location / { ${location} } }
}
`,
  );
  await start('nginx', ['-p', folder, '-c', config, '-e', join(folder, 'error.log')], port);
  return `http://127.0.0.1:${port}`;
}

/** Starts Caddy on a free loopback port, and stops it after the test. @param site the directives of its site block */
export async function startCaddy(site: string): Promise<string> {
  const [port, folder] = [await freePort(), makeFolder()];
  const config = join(folder, 'Caddyfile');
  const options = '{\n  admin off\n  auto_https off\n}';
  writeFileSync(config, `${options}\nhttp://:${port} {\n  bind 127.0.0.1\n${site}\n}\n`);
  const place = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  await start('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], port, place);
  return `http://127.0.0.1:${port}`;
}

async function start(name: string, args: string[], port: number, env: Record<string, string> = {}): Promise<void> {
  const child: ChildProcess = spawn(name, args, { env: { ...ENV, ...env }, stdio: 'ignore' });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  await vi.waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(`${name} exited with code ${child.exitCode}`);
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect').finally(() => socket.destroy());
    },
    { timeout: 30_000 },
  );
}
