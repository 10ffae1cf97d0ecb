import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { describeSyncedFolder } from './synced-folder.ts';

test('follows a link into such a folder', () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'Dropbox', 'data'), { recursive: true });
  symlinkSync(join(folder, 'Dropbox', 'data'), join(folder, 'data'));
  expect(describeSyncedFolder(join(folder, 'data'))).toContain('Dropbox');
});

test.each([
  ['/Users/ada/Library/Mobile Documents/com~apple~CloudDocs/site/data', 'iCloud'],
  ['/Users/ada/OneDrive - Larkfield/site/data', 'OneDrive'],
  ['/home/ada/Dropbox/data', 'Dropbox'],
  ['/Users/ada/Library/CloudStorage/OneDrive-Larkfield/site/data', 'OneDrive'],
  ['/Users/ada/Library/CloudStorage/Box-Box/site/data', 'a sync program'],
  ['/home/ada/Nextcloud/data', 'Nextcloud'],
  ['G:\\Meine Ablage\\site\\data', 'Google Drive'],
  ['/home/ada/SynologyDrive/data', 'a sync program'],
  ['/home/ada/Dropboxes/data', undefined],
  ['/srv/data', undefined],
])('names the sync program that copies a list in %s: %s', (folder, service) => {
  expect(describeSyncedFolder(folder)?.includes(service ?? '')).toBe(service && true);
});
