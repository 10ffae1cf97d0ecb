import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkContent } from './check-content.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'content-'));
  cpSync(fileURLToPath(new URL('../../test/content', import.meta.url)), folder, { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true }));

test('content with nothing of the demonstration left has no finding', () => {
  expect(checkContent(folder)).toEqual([]);
});

test('a placeholder is found at its line and column', () => {
  change('agency.yaml', 'office@quillharbour.test', 'hello@larkfield.example');
  change('agency.yaml', 'SC999999', '"00000000"');
  expect(checkContent(folder).map(({ where, problem }) => `${where.replace(/^.*\//, '')} ${problem}`)).toEqual([
    'agency.yaml:10:8 hello@larkfield.example is a placeholder',
    'agency.yaml:20:12 00000000 is a placeholder',
  ]);
});

test('the drawn portrait is found', () => {
  rmSync(join(folder, 'portrait.jpg'));
  expect(checkContent(folder)).toMatchObject([{ problem: 'the drawn portrait stands in for a photograph' }]);
});

function change(file: string, from: string, to: string): void {
  const path = join(folder, file);
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
}
