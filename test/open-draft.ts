import { beforeEach, onTestFinished } from 'vitest';
import { openStore, type Store } from '#newsletter/database/open-store.ts';
import { readDraft } from '#publishing/content-drafts.ts';
import type { Site } from '#desk/website/draft.ts';
import { makeFolder } from './make-folder.ts';

/** Opens a store for the test, in its own folder. */
export async function openTestStore(): Promise<Store> {
  const store = await openStore({ databaseUrl: undefined, dataDir: makeFolder() });
  onTestFinished(() => store.close());
  return store;
}

/** Gives each test in the calling file a draft over a content folder. @param readFolder returns its absolute path */
export function openDraftForEachTest(readFolder: () => string): () => Promise<Site> {
  let store: Store;
  beforeEach(async () => {
    store = await openTestStore();
  });
  return async () => {
    const content = readFolder();
    const draft = await readDraft(store.db);
    return { content, git: content, overlay: {}, number: 0, draft, store, by: 'anna@example.org' };
  };
}
