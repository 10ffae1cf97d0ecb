/** `npm start`: installs what is missing, builds if the sources are newer than the build, and serves the site. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIsFresh } from './setup/build-stamp.mjs';
import { installIfMissing, pinnedNode, run, runInstead } from './setup/install.mjs';
import { useSettings } from './setup/use-settings.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
useSettings(root);
installIfMissing(root);
if (!buildIsFresh(root)) run(pinnedNode(root), [join(root, 'tools/build/build.ts')], { cwd: root });

const program = join(process.env.OUT_DIR ?? join(root, 'dist'), 'server/main.js');
runInstead(pinnedNode(root), [program], { cwd: root });
