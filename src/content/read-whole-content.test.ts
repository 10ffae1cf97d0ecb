import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { copyContentForEachTest } from '../../test/content-copy.ts';
import { readWholeContent } from './read-whole-content.ts';

const copy = copyContentForEachTest();
const PUBLIC = fileURLToPath(new URL('../../public', import.meta.url));

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
  ['a picture without description', '![](/favicon.svg)', 'image: describe it'],
  ['a picture of another site', '![A chart](https://elsewhere.test/chart.png)', 'image: expected a file of public/'],
])('%s is named at its line', async (_, markdown, problem) => {
  copy.change('privacy-policy.md', 'Only what', `${markdown} Only what`);
  await expect(readWholeContent(copy.folder, PUBLIC)).rejects.toThrow(`privacy-policy.md:14:1 ${problem}`);
});

test('links to pages, headings, files of public/ and facts pass', async () => {
  const links =
    '[Home](/) [Rules](/house-rules#how-we-work) [Here](#cookies) [Mark](/favicon.svg) [The same](/%66avicon.svg) [Us]({regulatorUrl})';
  copy.change('privacy-policy.md', 'Only what', `${links} Only what`);
  await expect(readWholeContent(copy.folder, PUBLIC)).resolves.toBeDefined();
});

test('a table of Markdown is a table of the page', async () => {
  copy.change('privacy-policy.md', 'Only what', '| Kept | For |\n| --- | --- |\n| CVs | two years |\n\nOnly what');
  const { privacyPolicy } = await readWholeContent(copy.folder, PUBLIC);
  expect(privacyPolicy.sections.map(({ html }) => html).join('')).toContain('<td>two years</td>');
});
