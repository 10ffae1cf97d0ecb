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

test.each([
  ['a link to a page that is not there', '[Terms](/terms)', 'link: expected'],
  [
    'a link to a heading that is not there',
    '[Below](#not-there)',
    'link: /privacy-policy has no heading for "#not-there"',
  ],
  ['a link without https://', '[Us](www.quillharbour.test)', 'link: expected'],
  ['a dangerous link', '[Bad](javascript:alert(1))', 'link: expected'],
  ['a picture that is not there', '![A chart](/chart.png)', 'image: expected a file of public/'],
  ['a picture of another site', '![A chart](https://elsewhere.test/chart.png)', 'image: expected a file of public/'],
])('%s is named at its line', async (_, markdown, problem) => {
  change('privacy-policy.md', 'Only what', `${markdown} Only what`);
  await expect(readWholeContent(folder)).rejects.toThrow(`privacy-policy.md:14:1 ${problem}`);
});

test('links to pages, headings, files of public/ and facts pass', async () => {
  const links =
    '[Home](/) [Rules](/house-rules#how-we-work) [Here](#cookies) [Mark](/favicon.svg) [Us]({regulatorUrl})';
  change('privacy-policy.md', 'Only what', `${links} Only what`);
  await expect(readWholeContent(folder)).resolves.toBeDefined();
});

test('a table of Markdown is a table of the page', async () => {
  change('privacy-policy.md', 'Only what', '| Kept | For |\n| --- | --- |\n| CVs | two years |\n\nOnly what');
  const { privacyPolicy } = await readWholeContent(folder);
  expect(privacyPolicy.sections.map(({ html }) => html).join('')).toContain('<td>two years</td>');
});

function change(file: string, from: string | RegExp, to: string): void {
  const path = join(folder, file);
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(from, () => to),
  );
}
