/**
 * `npm run types`: writes the class names of each CSS Module under src/ as a type, so that a class that does not exist
 * fails, then checks all projects. The types lie under node_modules/.types/styles; tsconfig.base.json makes them
 * neighbours of their stylesheets.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listFiles } from '#content/list-files.ts';
import { readNames } from '../build/class-names.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const target = join(root, 'node_modules/.types/styles');

rmSync(target, { recursive: true, force: true });
for (const file of listFiles(join(root, 'src')).filter((name) => name.endsWith('.module.css'))) {
  const names = readNames(join(root, 'src', file)).map((name) => `  readonly ${JSON.stringify(name)}: string;\n`);
  const types = join(target, 'src', file.replace(/css$/, 'd.css.ts'));
  mkdirSync(dirname(types), { recursive: true });
  writeFileSync(types, `declare const styles: {\n${names.join('')}};\nexport default styles;\n`);
}

const tsc = join(root, 'node_modules/typescript/bin/tsc');
process.exitCode = spawnSync(process.execPath, [tsc, '-b'], { cwd: root, stdio: 'inherit' }).status ?? 1;
