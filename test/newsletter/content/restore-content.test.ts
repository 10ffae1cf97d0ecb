import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readOwnerValues, saveOwnerValues } from '#newsletter/owner-settings/settings-store.ts';
import { writeEmail } from '#newsletter/updates/stored-emails.ts';
import { readPicture, storePicture } from '#newsletter/updates/stored-pictures.ts';
import { changeDraft, readDraft } from '#publishing/content-drafts.ts';
import { addVersion, readNewestNumber, readVersion } from '#publishing/content-versions.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import { makeFolder } from '../../make-folder.ts';
import { runCommand } from '../setup/owner-commands.ts';
import { freshStore, onEachStore, openPlace } from '../setup/running-newsletter.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';

const SIGNING_SECRET = 's'.repeat(32);
/** The first holds a password, and is encrypted. */
const SETTINGS = { SMTP_URL: 'smtps://anna:secret@mail.example.org', NOTIFY_TO: 'anna@example.org' };

async function publish(store: Store, after: number, words: string): Promise<void> {
  const overlay = { 'home.hero.headline': { value: words, over: '' } };
  const version = { overlay, files: { 'home.yaml': words }, git: 'abc', changed: words, made_by: '' };
  await store.transaction((tx) => addVersion(tx, after, version));
}

async function readHeadline(store: Store): Promise<unknown> {
  return (await readVersion(store.db, await readNewestNumber(store.db)))?.overlay['home.hero.headline']?.value;
}

onEachStore('a backup', (name) => {
  test('restores the whole site on an empty machine; restoring an older one keeps newer content', async () => {
    const place = { ...(await freshStore(name)), SIGNING_SECRET };
    const backup = join(makeFolder(), 'backup');
    let store = await openPlace(place);
    await seedSubscribers(store, 2);
    await saveOwnerValues(store, SIGNING_SECRET, SETTINGS, 0);
    await publish(store, 0, 'Then');
    await storePicture(store.db, 'a.png', { bytes: new Uint8Array([1, 2]), width: 1, height: 1 });
    const writing = { subject: 'Pay', preview: '', text: 'Hello' };
    await writeEmail(store, { name: 'pay', writing, by: '', seen: 0 });
    await changeDraft(store, '', () => ({ 'faq.heading': { value: 'Draft', base: '' } }));
    await store.close();
    expect((await runCommand(place, 'backup', backup)).code).toBe(0);

    const elsewhere = { ...(await freshStore(name)), SIGNING_SECRET };
    expect(await runCommand(elsewhere, 'restore-backup', backup)).toMatchObject({ code: 0, errors: '' });
    const restored = await openPlace(elsewhere);
    expect(await restored.db.selectFrom('subscribers').select('id').execute()).toHaveLength(2);
    expect(await readOwnerValues(restored.db, SIGNING_SECRET)).toEqual({ values: SETTINGS, unreadable: [] });
    expect(await readHeadline(restored)).toBe('Then');
    expect(await readPicture(restored.db, 'a.png')).toEqual(Buffer.from([1, 2]));
    expect(await restored.db.selectFrom('emails').select('text').execute()).toEqual([{ text: 'Hello' }]);
    expect((await readDraft(restored.db))['faq.heading']?.value).toBe('Draft');

    store = await openPlace(place);
    await publish(store, 1, 'Now');
    await writeEmail(store, { name: 'pay', writing: { ...writing, text: 'Hello again' }, by: '', seen: 1 });
    await changeDraft(store, '', () => ({ 'faq.heading': undefined }));
    await store.close();
    expect((await runCommand(place, 'restore-backup', backup, '--replace')).code).toBe(0);
    store = await openPlace(place);
    expect(await readHeadline(store)).toBe('Now');
    expect(await store.db.selectFrom('emails').select('text').execute()).toEqual([{ text: 'Hello again' }]);
    expect(await readDraft(store.db)).toEqual({});
  });
});
