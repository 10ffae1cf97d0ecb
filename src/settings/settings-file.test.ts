import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { describeEnvFile, describeSettingsTable } from './describe-settings.ts';
import { loadSettings } from './settings-file.ts';

let folder: string;
beforeEach(() => {
  folder = makeFolder();
  vi.stubEnv('SETTINGS_FILE', join(folder, '.env'));
  for (const name of ['SMTP_URL', 'NOTIFY_TO', 'PORT', 'SIGNING_SECRET']) vi.stubEnv(name, undefined);
});

const write = (text: string, mode = 0o600) => writeFileSync(join(folder, '.env'), text, { mode });
const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test('reads settings from the file, and gives the environment precedence', () => {
  vi.stubEnv('PORT', '4000');
  write(
    "# mine\nSMTP_URL='smtps://me:p$w@mail.example.org'\nSIGNING_SECRET='0123456789abcdef0123456789abcd#$'\nPORT=5000\n",
  );
  expect(loadSettings()).toBe(join(folder, '.env'));
  expect(process.env).toMatchObject({
    SMTP_URL: 'smtps://me:p$w@mail.example.org',
    SIGNING_SECRET: '0123456789abcdef0123456789abcd#$',
    PORT: '4000',
  });
});

test('allows a comment after a value in quotes', () => {
  write("NOTIFY_TO='me@example.org' # mine\n");
  expect(loadSettings()).toBe(join(folder, '.env'));
});

test('reads the first setting despite Notepad’s byte order mark', () => {
  write('\uFEFFPORT=5000\r\nNOTIFY_TO=me@example.org\r\n');
  loadSettings();
  expect(process.env).toMatchObject({ PORT: '5000', NOTIFY_TO: 'me@example.org' });
});

test('reads nothing without SETTINGS_FILE, as in tests and benchmarks', () => {
  write('NOTIFY_TO=owner@example.org\n');
  vi.stubEnv('SETTINGS_FILE', undefined);
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  expect(loadSettings()).toBeUndefined();
  expect(process.env.NOTIFY_TO).toBeUndefined();
});

const QUOTING =
  'expected a value without # and quotation marks, or one between two quotation marks that don’t occur in it: \', " or `';

test.each([
  ['SMPT_URL=smtp://x', 'SMPT_URL is not a setting. docs/settings.md lists them all'],
  ['smtp_url=smtp://x', 'smtp_url is not a setting. docs/settings.md lists them all'],
  ['PORT 3000', 'PORT: expected NAME=value, or # before a note'],
  ['SMTP_URL smtp://me:secret?a=b', 'SMTP_URL: expected NAME=value, or # before a note'],
  ['# mine\n=secret', 'line 2: expected NAME=value, or # before a note'],
  ['SMTP_URL=smtp://me:secret#1@x', `SMTP_URL: ${QUOTING}`],
  ["SMTP_URL='smtps://me:secret'more@x'", `SMTP_URL: ${QUOTING}`],
  [`SMTP_URL="smtps://me:secret'a"b@x"`, `SMTP_URL: ${QUOTING}`],
  ["NOTIFY_TO='me@example.org", `NOTIFY_TO: ${QUOTING}`],
  ['NOTIFY_TO=“me@example.org”', `NOTIFY_TO: ${QUOTING}`],
  ['PORT=3000\n\nPORT=4000', 'PORT appears twice. Keep one of the two lines'],
])('rejects %j, naming the setting but never its value', (text, expected) => {
  write(text);
  expect(loadSettings).toThrow(`${join(folder, '.env')}: ${expected}`);
  expect(loadSettings).not.toThrow(/secret/);
});

test('reports a file in the encoding that Notepad calls Unicode', () => {
  writeFileSync(join(folder, '.env'), Buffer.from('\uFEFFPORT=4000\n', 'utf16le'));
  expect(loadSettings).toThrow(
    `${join(folder, '.env')}: expected a file saved as UTF-8. Save it again with that encoding`,
  );
});

test('reports a file that Windows named .env.txt', () => {
  writeFileSync(join(folder, '.env.txt'), 'PORT=5000\n');
  expect(loadSettings).toThrow(`${join(folder, '.env.txt')}: a file of this name is not read. Name it .env`);
  write('PORT=5000\n');
  expect(loadSettings()).toBe(join(folder, '.env'));
});

test.each(['.gitignore', '.dockerignore'])('excludes copies of the settings, but not the example, in %s', (file) => {
  const lines = read(file).split('\n');
  expect(lines.indexOf('!.env.example')).toBe(lines.indexOf('.env*') + 1);
  expect(lines).toContain('.env*');
});

test('reports a folder in place of the file', () => {
  mkdirSync(join(folder, '.env'));
  expect(loadSettings).toThrow(/\.env: this is a folder; a file was expected/);
});

test('restricts a file that others can read to its owner, and says so in the log line', () => {
  write('PORT=5000\n', 0o644);
  expect(loadSettings()).toMatch(/now only you can/);
  expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
});

test('lists every setting in .env.example and docs/settings.md, which npm run settings updates', () => {
  expect(read('.env.example')).toBe(describeEnvFile());
  expect(read('docs/settings.md')).toContain(`\n\n${describeSettingsTable()}`);
});

test('accepts .env.example with each default uncommented', () => {
  write(read('.env.example').replaceAll(/^# (?=[A-Z_]+=[a-z0-9]*$)/gm, ''));
  expect(loadSettings()).toBe(join(folder, '.env'));
});
