import { existsSync, readFileSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles } from '#content/list-files.ts';

/** Files with a hash in their names: open pages and a running server still request those of the previous build. */
const HASHED = ['site/assets', 'server/chunks'];

const KEPT_DAYS = 7;

/**
 * Copies the hashed files of the previous build into the new one, except those that were replaced over a week ago.
 * @param from the previous build, if there is one
 * @param to the new build; both contain the folder `site`
 * @param options.folders the folders to copy from; a published site contains no code
 */
export async function keepEarlierFiles(
  from: string,
  to: string,
  { folders = HASHED, now = new Date() }: { folders?: string[]; now?: Date } = {},
): Promise<void> {
  const replaced: Record<string, string> = {};
  const before = readReplaced(from);
  for (const folder of folders) {
    for (const name of listFiles(join(from, folder))) {
      const file = `${folder}/${name}`;
      const since = before[file] ?? now.toISOString();
      if (existsSync(join(to, file)) || now.getTime() - Date.parse(since) > KEPT_DAYS * 86_400_000) continue;
      replaced[file] = since;
      await cp(join(from, file), join(to, file));
    }
  }
  await writeFile(join(to, REPLACED), JSON.stringify(replaced));
}

/** When each kept file was replaced. */
const REPLACED = 'replaced.json';

function readReplaced(build: string): Record<string, string> {
  const file = join(build, REPLACED);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}
