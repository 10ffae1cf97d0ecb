import { expect, test } from 'vitest';
import { readMarkdownPage } from './read-markdown-page.ts';

test.each([
  ['Fees & payment', 'fees-payment'],
  ['Menu', 'section-menu'],
  ['Main', 'section-main'],
  ['Ask first', 'section-ask-first'],
  ['Ask first toggle', 'section-ask-first-toggle'],
  ['Marketing purpose', 'section-marketing-purpose'],
  ['Fees heading', 'section-fees-heading'],
  ['???', 'section-1'],
])('gives a section %j an id that nothing else on the page has: %s', (heading, id) => {
  expect(readIds(heading)).toEqual([id]);
});

test('gives headings of only punctuation different ids', () => {
  expect(readIds('???', '!!!')).toEqual(['section-1', 'section-2']);
});

function readIds(...headings: string[]): string[] {
  const frontMatter = 'heading: Terms\ntitle: Terms\ndescription: The terms\nlastUpdated: May 2026';
  const source = `---\n${frontMatter}\n---\n${headings.map((heading) => `## ${heading}\n\nText.\n`).join('\n')}`;
  const { page, errors } = readMarkdownPage('pages/terms.md', source, (line) => line);
  expect(errors).toEqual([]);
  return page!.sections.map((section) => section.id);
}
