import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { findOwnerTasks } from '#newsletter/weekly-mail/find-owner-tasks.ts';
import { findNight } from '#newsletter/backup/nightly-backup.ts';
import { freshStore, onEachStore, startNewsletter, waitUntil } from '../setup/running-newsletter.ts';

afterEach(() => void vi.useRealTimers());

/** Fakes only the date; timers and the network keep running. */
function setClock(time: string): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(time) });
}

test.each([
  ['before three', '2026-11-28T02:59:00Z', '2026-11-27'],
  ['at three', '2026-11-28T03:00:00Z', '2026-11-28'],
  ['at three in summer, which is two in UTC,', '2026-07-28T02:00:00Z', '2026-07-28'],
])('decides which night a backup made %s belongs to', (_, now, night) => {
  expect(findNight(Date.parse(now))).toBe(night);
});

onEachStore('the nightly backup', (name) => {
  test('is made once a night, and its failure is reported until one succeeds', async () => {
    const place = await freshStore(name);
    const folder = join(place.DATA_DIR, 'private');
    const list = () => (existsSync(folder) ? readdirSync(folder).toSorted() : []);
    const start = (time: string) => {
      setClock(time);
      return startNewsletter(place, name);
    };
    await (await start('2026-11-01T12:00:00Z')).stop();
    expect(list()).toEqual([]);
    const first = await start('2026-11-02T03:00:00Z');
    await waitUntil(() => expect(first.log).toContain('Backup: made.'));
    await first.stop();
    const again = await start('2026-11-02T04:00:00Z');
    await again.stop();
    const ending = name === 'SQLite' ? 'db' : 'dump';
    expect(list()).toEqual([`backup-2026-11-02T03-00-00.${ending}`]);

    // A file in the folder's place, which even root can't write into.
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    const failing = await start('2026-11-03T03:00:00Z');
    await waitUntil(() => expect(failing.log.join('\n')).toContain('Backup: not made'));
    await waitUntil(async () => {
      const tasks = await findOwnerTasks(failing.store, failing.env, Date.now());
      expect(tasks.map(({ title }) => title)).toEqual(['The nightly backup could not be made']);
    });
    await failing.stop();

    rmSync(folder);
    const later = await start('2026-12-04T03:00:00Z');
    await waitUntil(() => expect(later.log).toContain('Backup: made.'));
    expect(list()).toEqual([`backup-2026-12-04T03-00-00.${ending}`]);
    expect(await findOwnerTasks(later.store, later.env, Date.now())).toEqual([]);
  });
});
