import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What was live before a publish. @property changed what she changed then */
export type Version = { name: string; until: string; changed: string };

/** The facts of a version, as `version.json` beside its folder `content`. */
export type VersionFacts = Omit<Version, 'name'>;

/** @returns the versions that she can go back to, the newest first */
export function listVersions(dataDir: string): Version[] {
  const folder = join(dataDir, 'versions');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .toReversed()
    .flatMap((name) => {
      const file = join(folder, name, 'version.json');
      return existsSync(file) ? [{ name, ...(JSON.parse(readFileSync(file, 'utf8')) as VersionFacts) }] : [];
    });
}

/** @returns the folder of its words; undefined if it's no longer kept */
export function findVersion(dataDir: string, name: string): string | undefined {
  const isKnown = listVersions(dataDir).some((version) => version.name === name);
  return isKnown ? join(dataDir, 'versions', name, 'content') : undefined;
}

/** Keeps the last twenty. */
export function removeOldVersions(dataDir: string): void {
  for (const { name } of listVersions(dataDir).slice(MAX_VERSIONS)) {
    rmSync(join(dataDir, 'versions', name), { recursive: true });
  }
}

const MAX_VERSIONS = 20;
