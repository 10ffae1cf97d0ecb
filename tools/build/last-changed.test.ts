import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lastChanged } from './last-changed.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'history-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

test('a file under version control was changed on the day of its last commit, whenever it was checked out', async () => {
  git('init', '--quiet');
  commit('home.yaml', '2026-02-03');
  commit('faq.yaml', '2026-05-06');
  commit('mail.yaml', '2026-09-09');
  expect(await lastChanged(folder, ['home.yaml'])).toBe('2026-02-03');
  expect(await lastChanged(folder, ['home.yaml', 'faq.yaml', 'portrait.jpg'])).toBe('2026-05-06');
});

test('a change that is not committed yet counts on its own day', async () => {
  git('init', '--quiet');
  commit('home.yaml', '2026-02-03');
  write('home.yaml', 'changed', '2026-03-04');
  expect(await lastChanged(folder, ['home.yaml'])).toBe('2026-03-04');
});

test('without version control the file says when it was changed', async () => {
  write('home.yaml', 'text', '2026-03-04');
  expect(await lastChanged(folder, ['home.yaml'])).toBe('2026-03-04');
});

test('where the history was cut off, the day is not known', async () => {
  git('init', '--quiet');
  commit('home.yaml', '2026-02-03');
  commit('faq.yaml', '2026-05-06');
  commit('faq.yaml', '2026-05-07');
  const shallow = join(folder, 'shallow');
  execFileSync('git', ['clone', '--quiet', '--depth', '2', `file://${folder}`, shallow]);
  expect(await lastChanged(shallow, ['home.yaml'])).toBeUndefined();
  expect(await lastChanged(shallow, ['faq.yaml'])).toBe('2026-05-07');
});

function commit(file: string, day: string): void {
  write(file, day, day);
  git('add', file);
  git(
    '-c',
    'user.name=A',
    '-c',
    'user.email=a@example.org',
    'commit',
    '--quiet',
    '--message',
    'Change',
    `--date=${day}T12:00:00Z`,
  );
}

/** The committer's date is what counts, and git takes that one from the environment alone. */
function git(...args: string[]): void {
  const day = /--date=(.*)/.exec(args.join(' '))?.[1];
  execFileSync('git', ['-C', folder, ...args], { env: { ...process.env, ...(day && { GIT_COMMITTER_DATE: day }) } });
}

function write(file: string, text: string, day: string): void {
  writeFileSync(join(folder, file), text);
  utimesSync(join(folder, file), new Date(day), new Date(day));
}
