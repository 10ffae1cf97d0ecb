/**
 * `npm run typecheck`: writes the class names of each CSS Module in src/ as a type, so that using a class that doesn't
 * exist fails, then checks all projects. The types are in node_modules/.types/styles; tsconfig.base.json maps them to
 * their stylesheets.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'lightningcss';
import { listFiles } from '#content/list-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const target = join(root, 'node_modules/.types/styles');

rmSync(target, { recursive: true, force: true });
for (const file of listFiles(join(root, 'src')).filter((name) => name.endsWith('.module.css'))) {
  const code = readFileSync(join(root, 'src', file));
  const { exports } = transform({ filename: file, code, cssModules: { grid: false } });
  const names = Object.keys(exports ?? {}).map((name) => `  readonly ${JSON.stringify(name)}: string;\n`);
  const types = join(target, 'src', file.replace(/css$/, 'd.css.ts'));
  mkdirSync(dirname(types), { recursive: true });
  writeFileSync(types, `declare const styles: {\n${names.join('')}};\nexport default styles;\n`);
}

const tsc = join(root, 'node_modules/typescript/bin/tsc');
process.exitCode = spawnSync(process.execPath, [tsc, '-b'], { cwd: root, stdio: 'inherit' }).status ?? 1;
