/**
 * `node tools/run.mjs FILE …`: runs a file of the project on the Node that package.json pins, with everything
 * installed. `--build` before it builds the site first if its sources are newer; `--install=FOLDER` installs a package
 * of its own as well; `--settings` gives it the owner's settings (.env). Without a file it does these alone.
 */
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
// The whole module: an older Node has no parseEnv.
import util from 'node:util';
import { isBuildFresh } from './setup/build-stamp.mjs';
import { installIfMissing, findPinnedNode, run, runInstead } from './setup/install.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const given = process.argv.slice(2);
const place = given.findIndex((each) => !each.startsWith('--'));
// Arguments before the file are this script's, the rest are the file's.
const [own, [file, ...args]] = place === -1 ? [given, []] : [given.slice(0, place), given.slice(place)];
const { values } = util.parseArgs({
  args: own,
  options: { build: { type: 'boolean' }, install: { type: 'string' }, settings: { type: 'boolean' } },
});
if (values.settings) {
  process.env.SETTINGS_FILE ??= join(root, '.env');
  try {
    // A byte order mark, as Notepad writes it, would be a part of the first name.
    const text = readFileSync(process.env.SETTINGS_FILE, 'utf8').replace(/^\uFEFF/, '');
    process.env = { ...util.parseEnv(text), ...process.env };
  } catch {
    // There need not be one; the program that reads it next reports what is wrong with it.
  }
}

installIfMissing(root);
if (values.install) installIfMissing(join(root, values.install));
const node = findPinnedNode(root);
process.env.PATH = dirname(node) + delimiter + process.env.PATH;
if (values.build && !isBuildFresh(root)) run(node, [join(root, 'tools/build/build.ts')], { cwd: root });
// OUT_DIR says where the build is, if not in dist/.
const out = process.env.OUT_DIR ?? 'dist';
if (file) {
  const program = file.replace(/^dist(?=\/)/, () => out);
  runInstead(node, [resolve(root, program), ...args]);
}
