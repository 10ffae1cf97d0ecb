import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/** @returns a warning if a sync program copies the folder while the list is in use; otherwise undefined */
export function describeSyncedFolder(dataDir: string): string | undefined {
  const folder = existsSync(dataDir) ? realpathSync(dataDir) : resolve(dataDir);
  const [, service] = SYNCED.find(([pattern]) => pattern.test(folder)) ?? [];
  if (service === undefined) return undefined;
  return `DATA_DIR is in a folder that ${service} copies, which can damage the list while it is in use. Move DATA_DIR out of that folder.`;
}

const SYNCED: [RegExp, string][] = [
  [/[\\/](?:Mobile Documents|iCloud ?Drive|com~apple~CloudDocs)(?:[\\/]|$)/i, 'iCloud'],
  [/[\\/]OneDrive(?: ?- ?[^\\/]+)?(?:[\\/]|$)/i, 'OneDrive'],
  [/[\\/]Dropbox(?: \([^\\/]+\))?(?:[\\/]|$)/i, 'Dropbox'],
  [/[\\/](?:Google ?Drive|GoogleDrive-[^\\/]+|My Drive|Meine Ablage)(?:[\\/]|$)/i, 'Google Drive'],
  [/[\\/](?:Nextcloud|ownCloud)(?:[\\/]|$)/i, 'Nextcloud'],
  [
    /[\\/](?:Proton ?Drive|pCloud ?Drive|MEGA(?:sync)?|Box Sync|kDrive|Syncthing|Seafile|SynologyDrive|HiDrive|MagentaCLOUD)(?:[\\/]|$)/i,
    'a sync program',
  ],
  // Where macOS keeps the folders of every such program.
  [/[\\/]Library[\\/]CloudStorage[\\/]/, 'a sync program'],
];
