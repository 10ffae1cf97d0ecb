import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * The day on which the youngest of some files was last changed: by the history that git keeps, or by the file's own
 * date where git has none or the file has changed since.
 * @param folder absolute path of content/
 * @param files names of files in it; those that do not exist count for nothing
 * @returns YYYY-MM-DD, or undefined where the history was cut off (a shallow clone) before the change
 */
export async function lastChanged(folder: string, files: string[]): Promise<string | undefined> {
  const days = await Promise.all(files.map((file) => dayOf(folder, file)));
  const known = days.filter((day) => day !== 'absent');
  return known.includes(undefined) ? undefined : known.toSorted().at(-1);
}

async function dayOf(folder: string, file: string): Promise<string | undefined | 'absent'> {
  const stats = await stat(join(folder, file)).catch(() => undefined);
  if (stats === undefined) return 'absent';
  const commit = await git(folder, ['log', '-1', '--format=%P|%cs', '--', file]);
  const isChanged = (await git(folder, ['status', '--porcelain', '--', file])) !== '';
  if (!commit || isChanged) return stats.mtime.toISOString().slice(0, 10);
  const [parents, day] = commit.split('|');
  const isCutOff = parents === '' && (await git(folder, ['rev-parse', '--is-shallow-repository'])) === 'true';
  return isCutOff ? undefined : day;
}

/** @returns undefined where there is no git, or no repository */
async function git(folder: string, args: string[]): Promise<string | undefined> {
  try {
    return (await promisify(execFile)('git', ['-C', folder, ...args])).stdout.trim();
  } catch {
    return undefined;
  }
}
