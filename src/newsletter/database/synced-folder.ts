import { resolve } from 'node:path';

/** @returns a warning if a sync program copies the folder while the list is in use; otherwise undefined */
export function describeSyncedFolder(dataDir: string): string | undefined {
  const [, service] = SYNCED.find(([pattern]) => pattern.test(resolve(dataDir))) ?? [];
  if (service === undefined) return undefined;
  return `DATA_DIR is in a folder that ${service} copies, which can damage the list while it is in use. Move DATA_DIR out of that folder.`;
}

const SYNCED: [RegExp, string][] = [
  [/[\\/](?:Mobile Documents|iCloud ?Drive|com~apple~CloudDocs)(?:[\\/]|$)/i, 'iCloud'],
  [/[\\/]OneDrive(?: ?- ?[^\\/]+)?(?:[\\/]|$)/i, 'OneDrive'],
  [/[\\/]Dropbox(?: \([^\\/]+\))?(?:[\\/]|$)/i, 'Dropbox'],
  [/[\\/](?:Google ?Drive|GoogleDrive-[^\\/]+|My Drive)(?:[\\/]|$)/i, 'Google Drive'],
  [/[\\/](?:Nextcloud|ownCloud)(?:[\\/]|$)/i, 'Nextcloud'],
  [/[\\/](?:Proton ?Drive|pCloud ?Drive|MEGA(?:sync)?|Box Sync|kDrive|Syncthing)(?:[\\/]|$)/i, 'a sync program'],
  // Where macOS keeps the folders of every such program.
  [/[\\/]Library[\\/]CloudStorage[\\/]/, 'a sync program'],
];
