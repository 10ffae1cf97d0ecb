/** `npm start`: installs what is missing, builds if the sources are newer than the build, and serves the site. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIsFresh } from './setup/build-stamp.mjs';
import { installIfMissing, pinnedNode, run } from './setup/install.mjs';
import { SERVER_FLAGS } from './setup/server-flags.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
installIfMissing(root);
if (!buildIsFresh(root)) run(pinnedNode(root), [join(root, 'tools/build/build.ts')], root);

const server = spawn(pinnedNode(root), [...SERVER_FLAGS, join(root, 'dist/server/main.js')], {
  cwd: root,
  stdio: 'inherit',
});
// Ctrl-C reaches the server by itself, since it shares the terminal; a signal sent to this process does not.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal));
server.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
