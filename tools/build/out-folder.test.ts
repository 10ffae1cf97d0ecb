import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { type OutFolder, BuildError, prepareOut } from './out-folder.ts';

let project: string;

beforeEach(() => {
  project = makeFolder();
  for (const folder of ['content', 'data', 'notes']) {
    mkdirSync(join(project, folder));
    writeFileSync(join(project, folder, 'notes.txt'), 'A note');
  }
});

test.each(['content', 'content/site', 'data', 'data/new', 'notes', '.', '..', '/', homedir(), 'notes/notes.txt'])(
  'refuses to build into %s, and changes nothing there',
  (place) => {
    expect(() => prepare(place)).toThrow(BuildError);
    for (const folder of ['content', 'data', 'notes'])
      expect(readdirSync(join(project, folder))).toEqual(['notes.txt']);
    expect(readdirSync(project)).toEqual(['content', 'data', 'notes']);
  },
);

test('refuses to build through a symbolic link too', () => {
  symlinkSync(join(project, 'content'), join(project, 'dist'));
  symlinkSync(project, join(project, 'notes/up'));
  expect(() => prepare('dist')).toThrow('would be emptied');
  expect(() => prepare('notes/up/data/new')).toThrow('is inside');
});

test('refuses to replace a build that contains one of the owner’s folders', async () => {
  await makeBuild({ 'site/index.html': 'one' });
  mkdirSync(join(project, 'dist/data'));
  expect(() => prepareOut(join(project, 'dist'), { outside: [], apart: [join(project, 'dist/data')] })).toThrow(
    'contains',
  );
});

test('replaces an empty folder and an earlier build, whatever the folder is called', async () => {
  mkdirSync(join(project, 'public-html'));
  for (const text of ['one', 'two']) {
    await makeBuild({ 'site/index.html': text }, 'public-html');
    expect(readFileSync(join(project, 'public-html/site/index.html'), 'utf8')).toBe(text);
  }
  expect(readdirSync(project)).toEqual(['content', 'data', 'notes', 'public-html']);
});

// Windows has no file modes.
test.skipIf(process.platform === 'win32')('lets a web server that runs as another user read a build', async () => {
  await makeBuild({ 'site/index.html': 'one' });
  expect(statSync(join(project, 'dist')).mode & 0o777).toBe(0o755);
});

test('leaves the existing site in place if a build is killed', async () => {
  await makeBuild({ 'site/index.html': 'one' });
  write(prepare('dist'), { 'site/index.html': 'half' });
  expect(readFileSync(join(project, 'dist/site/index.html'), 'utf8')).toBe('one');
  await makeBuild({ 'site/index.html': 'two' });
  expect(readFileSync(join(project, 'dist/site/index.html'), 'utf8')).toBe('two');
});

test('keeps hashed files of the previous build, but not its other files', async () => {
  await makeBuild({ 'site/assets/a-1.js': 'a', 'site/old.html': 'old' });
  await makeBuild({ 'site/assets/a-2.js': 'b' });
  expect(readdirSync(join(project, 'dist/site/assets'))).toEqual(['a-1.js', 'a-2.js']);
  expect(existsSync(join(project, 'dist/site/old.html'))).toBe(false);
});

function prepare(place: string): OutFolder {
  const apart = ['content', 'data'].map((name) => join(project, name));
  return prepareOut(place.startsWith('/') ? place : join(project, place), { outside: [project], apart });
}

async function makeBuild(files: Record<string, string>, place = 'dist'): Promise<void> {
  const out = prepare(place);
  write(out, files);
  await out.swap();
}

function write(out: OutFolder, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(out.folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  }
}
