/** `node dist/server/updates.js`: the command for updates on a machine that has only the build. */
import { fileURLToPath } from 'node:url';
import { runUpdates } from './updates.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

// The build lies beside the updates and the public files that it was made with.
process.exitCode = await runUpdates(process.argv, { updates: path('./updates'), publicFiles: path('../site') });
