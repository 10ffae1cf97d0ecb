/** `npm run dev`: the site with live reload for components, styles and content/. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installIfMissing, pinnedNode, run } from './setup/install.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
installIfMissing(root);
run(pinnedNode(root), [join(root, 'node_modules/vite/bin/vite.js')], root);
