import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readWholeContent } from './read-whole-content.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'content-'));
  cpSync(fileURLToPath(new URL('../../test/content', import.meta.url)), folder, { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true }));

test('a letter that no font has is named at its line', async () => {
  change('agency.yaml', 'name: Quill & Harbour', 'name: Quill & 株');
  await expect(readWholeContent(folder)).rejects.toThrow(/agency\.yaml:4:15 no font of the site has 株 \(U\+682A\)/);
});

test.each([
  ['faq.yaml', /heading: .*/, 'heading: "What \\u682A asks"'],
  ['privacy-policy.md', 'Only what', '&#x682A; Only what'],
])('and so is one that %s has as a code', async (file, from, to) => {
  change(file, from, to);
  await expect(readWholeContent(folder)).rejects.toThrow(
    /: no font of the site has 株 \(U\+682A\)\. .* It is written there as a code/,
  );
});

function change(file: string, from: string | RegExp, to: string): void {
  const path = join(folder, file);
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(from, () => to),
  );
}
