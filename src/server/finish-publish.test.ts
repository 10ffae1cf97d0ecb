import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { compareWords, discardFiles, finishPublish, prepareFiles } from './finish-publish.ts';
import { findShownSite, isUnfinished } from './live-site.ts';

const NAME = '2026-11-27T09-00-00.000Z';
let dataDir = '';
let content = '';
let site = '';

const write = (folder: string, name: string, text: string) => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
};
const read = (name: string) => readFileSync(join(content, name), 'utf8');

/** As a publish leaves them just before it goes live: one file changes, one is new, one goes. */
beforeEach(() => {
  dataDir = makeFolder();
  content = join(dataDir, 'content');
  site = join(dataDir, 'sites', NAME);
  write(content, 'home.yaml', 'headline: Before\n');
  write(content, 'faq.yaml', 'items: []\n');
  write(content, 'mark.svg', '<svg/>');
  cpSync(content, join(site, 'before/content'), { recursive: true });
  write(join(site, 'content'), 'home.yaml', 'headline: After\n');
  write(join(site, 'content'), 'faq.yaml', 'items: []\n');
  write(join(site, 'content'), 'portrait.jpg', 'picture');
  write(site, 'files.json', JSON.stringify(compareWords(join(site, 'before/content'), join(site, 'content'))));
  write(site, 'content.json', '{}');
});

const goLive = () => write(join(dataDir, 'sites'), 'live', JSON.stringify({ site: NAME, code: 'c', over: 'words' }));

test('a publish that is interrupted before it is live leaves content/ unchanged', () => {
  prepareFiles(site, content);
  finishPublish(dataDir, content);
  discardFiles(site, content);
  expect(compareWords(content, join(site, 'before/content'))).toEqual([]);
  expect(existsSync(join(content, 'home.yaml.unfinished'))).toBe(false);
});

test('the next start finishes a publish that was interrupted once live, and the previous site is kept', () => {
  prepareFiles(site, content);
  goLive();
  finishPublish(dataDir, content);
  expect(compareWords(content, join(site, 'content'))).toEqual([]);
  expect(isUnfinished(site)).toBe(false);
  expect(readFileSync(join(dataDir, 'versions', NAME, 'content/home.yaml'), 'utf8')).toContain('Before');
});

test('a file that somebody else has changed meanwhile stays unchanged', () => {
  goLive();
  writeFileSync(join(content, 'home.yaml'), 'headline: Another\n');
  finishPublish(dataDir, content);
  expect(read('home.yaml')).toContain('Another');
  expect(read('portrait.jpg')).toBe('picture');
});

test('a publish stops before it is live if a file has changed since it was copied', () => {
  writeFileSync(join(content, 'home.yaml'), 'headline: Another\n');
  expect(() => prepareFiles(site, content)).toThrow('content/home.yaml changed on disk');
});

test('a later build of the current content/ is shown instead of a published site', () => {
  const build = join(dataDir, 'dist');
  write(join(build, 'site'), 'index.html', '');
  const built = (words: string) =>
    write(build, 'content.json', JSON.stringify({ code: 'c', settings: {}, words, content: {} }));
  goLive();
  built('words');
  expect(findShownSite({ build, dataDir, content }).name).toBe(NAME);
  built('newer words');
  expect(findShownSite({ build, dataDir, content }).name).toBe('build');
});
