/** `npm start`: installs what is missing, builds if the sources are newer than the build, and serves the site. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIsFresh } from './setup/build-stamp.mjs';
import { installIfMissing, pinnedNode, run } from './setup/install.mjs';
import { useSettings } from './setup/use-settings.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
useSettings(root);
installIfMissing(root);
if (!buildIsFresh(root)) run(pinnedNode(root), [join(root, 'tools/build/build.ts')], { cwd: root });

const program = join(process.env.OUT_DIR ?? join(root, 'dist'), 'server/main.js');
const server = spawn(pinnedNode(root), [program], { cwd: root, stdio: 'inherit' });
// A signal to the whole group reaches the server by itself as well, which takes the two for one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal));
server.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
