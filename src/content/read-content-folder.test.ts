import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { copyContentForEachTest } from '../../test/content-copy.ts';
import { readContent } from './parse-content.ts';
import { checkPaths } from './read-content-folder.ts';

const copy = copyContentForEachTest();
const PUBLIC = fileURLToPath(new URL('../../src/layout', import.meta.url));

/** @param componentPages paths of pages made of components */
function check(componentPages = ['/', '/about']): void {
  const content = readContent(copy.folder);
  const markdownPages = [content.privacyPolicy, ...content.markdownPages].map(({ path }) => path);
  checkPaths(content, { folder: copy.folder, publicFolder: PUBLIC }, [...componentPages, ...markdownPages]);
}

test.each([
  ['a link to a missing page', '[Terms](/terms)', 'link: expected'],
  ['a link to a missing heading', '[Below](#not-there)', 'link: /privacy-policy has no heading for "#not-there"'],
  ['a link without https://', '[Us](www.quillharbour.test)', 'link: expected'],
  ['a dangerous link', '[Bad](javascript:alert(1))', 'link: expected'],
  ['a missing picture', '![A chart](/chart.png)', 'image: expected a file in public/'],
  ['a picture without a description', '![](/favicon.svg)', 'image: describe it'],
  ['a picture on another site', '![A chart](https://elsewhere.test/chart.png)', 'image: expected a file in public/'],
])('reports %s at its line', (_, markdown, problem) => {
  copy.change('privacy-policy.md', 'Only what', `${markdown} Only what`);
  expect(() => check()).toThrow(`privacy-policy.md:14:1 ${problem}`);
});

test('accepts links to pages, headings, files in public/ and facts', () => {
  const links =
    '[Home](/) [About](/about) [Team](/about#team) [Rules](/house-rules#how-we-work) [Here](#cookies) [Here](#%63ookies) [Mark](/favicon.svg) [The same](/%66avicon.svg) [Us]({regulatorUrl})';
  copy.change('privacy-policy.md', 'Only what', `${links} Only what`);
  expect(() => check()).not.toThrow();
});

test('rejects a Markdown page at the path of a component page, naming its file', () => {
  cpSync(join(copy.folder, 'pages/house-rules.md'), join(copy.folder, 'pages/about.md'));
  expect(() => check()).toThrow('pages/about.md: src/pages/ has a page at /about too');
});

test('renders a Markdown table as a table', () => {
  copy.change('privacy-policy.md', 'Only what', '| Kept | For |\n| --- | --- |\n| CVs | two years |\n\nOnly what');
  const { privacyPolicy } = readContent(copy.folder);
  expect(privacyPolicy.sections.map(({ html }) => html).join('')).toContain('<td>two years</td>');
});
