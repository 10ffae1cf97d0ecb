import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createPictureRoute } from '#server/update-pictures-route.ts';
import { importEmail } from '#newsletter/updates/import-email.ts';
import { readUpdateFile } from '#newsletter/updates/read-update-file.ts';
import { queueUpdate } from '#newsletter/updates/queue-update.ts';
import {
  listSources,
  readSource,
  removeEmail,
  StaleRevisionError,
  writeEmail,
} from '#newsletter/updates/stored-emails.ts';
import { cancelUpdate } from '#newsletter/updates/update-state.ts';
import { readPicture, removeUnusedPictures, storePicture } from '#newsletter/updates/stored-pictures.ts';
import { makeFolder } from '../../make-folder.ts';
import { content } from '../../test-content.ts';
import { queueForAll } from '../setup/queue-for-all.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';
import { freshStore, onEachStore, openPlace } from '../setup/running-newsletter.ts';

const writing = { subject: 'Pay', preview: 'What it was', text: 'Hello' };

onEachStore('an email on the desk', (name) => {
  const open = async () => openPlace(await freshStore(name));

  test('replaces the file with its name; an outdated window overwrites nothing', async () => {
    const store = await open();
    const folder = makeFolder();
    for (const file of ['a', 'b']) writeFileSync(join(folder, `${file}.md`), `---\nsubject: Of ${file}\n---\n\nFile\n`);
    const write = (text: string, seen: number) =>
      writeEmail(store, { name: 'a', writing: { ...writing, text }, by: 'anna@example.org', seen });
    expect(await write('One', 0)).toBe(1);
    expect(await write('One', 0), 'the same text again').toBe(1);
    await expect(write('Two', 0)).rejects.toThrow(StaleRevisionError);
    expect(await write('Two', 1)).toBe(2);
    expect((await readSource(store.db, folder, 'a'))?.text).toContain('Two');
    expect((await readSource(store.db, folder, 'b'))?.text).toContain('File');
    expect((await listSources(store.db, folder)).map((each) => each.name).toSorted()).toEqual(['a', 'b']);
  });

  test('can’t be removed while it is scheduled', async () => {
    const store = await open();
    await seedSubscribers(store, 1);
    await writeEmail(store, { name: 'a', writing, by: 'anna@example.org', seen: undefined });
    const id = await queueForAll(store, { file: 'a.md', sendAt: Date.now() + 3_600_000 });
    await expect(removeEmail(store.db, 'a')).rejects.toThrow('Cancel it first');
    await cancelUpdate(store, id, Date.now());
    await removeEmail(store.db, 'a');
    expect(await listSources(store.db, makeFolder())).toEqual([]);
  });

  test('is imported from a file with its pictures, and replaces different text only on request', async () => {
    const store = await open();
    const project = makeFolder();
    mkdirSync(join(project, 'public/updates'), { recursive: true });
    const picture = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    writeFileSync(join(project, 'public/updates/chart.png'), picture);
    const file = join(project, '2026-12-pay.md');
    const sources = { db: store.db, site: join(project, 'site'), updates: project, sender: content, project };
    const write = (text: string) =>
      writeFileSync(file, `---\nsubject: Pay\npreview: x\n---\n\n${text}\n\n![A chart](/updates/chart.png)\n`);
    write('Hello');
    expect(await importEmail(store, file, sources, false)).toBe('2026-12-pay');
    await importEmail(store, file, sources, false);
    write('Another text');
    await expect(importEmail(store, file, sources, false)).rejects.toThrow('--replace');
    await importEmail(store, file, sources, true);
    const { pictures, source } = await readUpdateFile('2026-12-pay', sources);
    expect(source).toContain('Another text');
    expect(pictures).toEqual([expect.stringMatching(/^chart-[0-9a-f]{16}\.png$/)]);
    const response = await createPictureRoute(store).request(`/updates/${pictures[0]}`);
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'image/png']);
    expect((await createPictureRoute(store).request('/updates/none-0123456789abcdef.png')).status).toBe(404);
    expect(existsSync(sources.site)).toBe(false);
  });

  test('keeps its text and pictures once sent; an unused picture is removed after thirty days', async () => {
    const store = await open();
    await seedSubscribers(store, 1);
    const bytes = new Uint8Array([1]);
    for (const picture of ['sent.png', 'used.png', 'unused.png']) {
      await storePicture(store.db, picture, { bytes, width: 1, height: 1 });
    }
    const update = { file: 'a.md', textHash: 'a', roles: undefined, template: { subject: '', html: '', text: '' } };
    const caps = { hourlyCap: 1, dailyCap: undefined };
    const now = Date.now();
    await queueUpdate(
      store,
      { ...update, source: 'Hello', pictures: ['sent.png'], expected: 1, sendAt: now, caps },
      now,
    );
    expect(await store.db.selectFrom('updates').select('source').execute()).toEqual([{ source: 'Hello' }]);
    await expect(store.db.deleteFrom('pictures').where('name', '=', 'sent.png').execute()).rejects.toThrow(
      /foreign key/i,
    );
    const words = { ...writing, text: '![x](/updates/used.png)' };
    await writeEmail(store, { name: 'a', writing: words, by: '', seen: 0 });
    await removeUnusedPictures(store.db, now + 29 * 86_400_000);
    expect(await readPicture(store.db, 'unused.png')).toBeDefined();
    await removeUnusedPictures(store.db, now + 31 * 86_400_000);
    const left = await store.db.selectFrom('pictures').select('name').orderBy('name').execute();
    expect(left.map((each) => each.name)).toEqual(['sent.png', 'used.png']);
  });
});
