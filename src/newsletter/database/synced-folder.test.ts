import { expect, test } from 'vitest';
import { describeSyncedFolder } from './synced-folder.ts';

test.each([
  ['/Users/ada/Library/Mobile Documents/com~apple~CloudDocs/site/data', 'iCloud'],
  ['/Users/ada/OneDrive - Larkfield/site/data', 'OneDrive'],
  ['/home/ada/Dropbox/data', 'Dropbox'],
  ['/Users/ada/Library/CloudStorage/OneDrive-Larkfield/site/data', 'OneDrive'],
  ['/Users/ada/Library/CloudStorage/Box-Box/site/data', 'a sync program'],
  ['/home/ada/Nextcloud/data', 'Nextcloud'],
  ['/home/ada/Dropboxes/data', undefined],
  ['/srv/data', undefined],
])('names the sync program that copies a list in %s: %s', (folder, service) => {
  expect(describeSyncedFolder(folder)?.includes(service ?? '')).toBe(service && true);
});
