/** `npm test`: installs what is missing, then runs every check on the Node that package.json pins. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installIfMissing, pinnedNode, run } from './setup/install.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
installIfMissing(root);
run(pinnedNode(root), [join(root, 'tools/check/run-checks.ts'), ...process.argv.slice(2)], root);
