import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ContentError, readContent } from './read-content.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'content-'));
  cpSync(fileURLToPath(new URL('../../test/content', import.meta.url)), folder, { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('each kind of mistake says file, line, column, field and what was expected', () => {
  test.each([
    [
      'a field that is not known',
      'agency.yaml',
      'descriptor:',
      'slogan: Hello\ndescriptor:',
      '6:1 slogan: this field is not known',
    ],
    [
      'a field that is not known, further in',
      'agency.yaml',
      '  label: Edinburgh',
      '  town: Leith\n  label: Edinburgh',
      '14:3 location.town: this field is not known',
    ],
    ['a field that is missing', 'agency.yaml', '  label: Edinburgh, UK\n', '', '14:3 location.label: '],
    [
      'a text that is empty',
      'home.yaml',
      'headline: People Who Sell Software Honestly',
      'headline: ""',
      '6:13 hero.headline: expected a text that is not empty',
    ],
    ['a number where a text belongs', 'faq.yaml', 'heading: What people ask', 'heading: 42', '2:10 heading: '],
    [
      'an address that is not one',
      'agency.yaml',
      'https://quillharbour.test',
      'quillharbour.test',
      '11:10 website: expected an address that begins with https://',
    ],
    [
      'an address in the clear',
      'agency.yaml',
      'https://quillharbour.test',
      'http://quillharbour.test',
      '11:10 website: expected an address that begins with https://',
    ],
    [
      'an e-mail address that is not one',
      'agency.yaml',
      'office@quillharbour.test',
      'office',
      '10:8 email: expected an e-mail address, such as hello@example.org',
    ],
    [
      'a company number of another shape',
      'agency.yaml',
      'SC999999',
      'SC9',
      '20:11 registration.number: expected the eight characters of a company number, in quotes',
    ],
    [
      'a list of another length',
      'agency.yaml',
      '[Listen, Search, Settle]',
      '[Listen]',
      '8:10 tagline: expected three words',
    ],
    ['a choice that there is not', 'home.yaml', 'icon: depth', 'icon: star', '14:15 intro.cards.0.icon: '],
    [
      'a placeholder that is not known',
      'faq.yaml',
      '{name} searches',
      '{brand} searches',
      '5:13 items.0.answer: {brand} is not known; expected one of {name}, ',
    ],
    ['YAML that cannot be read', 'agency.yaml', 'name: Quill &', 'name: Quill: &', '4:'],
    [
      'a policy without its facts',
      'privacy-policy.md',
      '---\nheading',
      'heading',
      '1:1 expected facts between two lines of ---',
    ],
    [
      'a mistake in the facts of the policy',
      'privacy-policy.md',
      'lastUpdated: March 2026',
      'lastUpdated: 3/2026',
      '5:14 lastUpdated: expected a month and a year, such as August 2025',
    ],
    ['a policy without sections', 'privacy-policy.md', /## /g, '### ', ' expected sections that begin with ##'],
  ])('%s', (_, file, from, to, expected) => {
    const path = join(folder, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
    expect(mistake()).toContain(`${file}:${expected}`);
  });

  test('a file that is not there', () => {
    rmSync(join(folder, 'faq.yaml'));
    expect(mistake()).toMatch(/faq\.yaml: this file is missing$/);
  });

  test('several mistakes of a file at once, a line each', () => {
    const path = join(folder, 'agency.yaml');
    writeFileSync(path, readFileSync(path, 'utf8').replace('SC999999', 'SC9').replace('office@', 'office at '));
    expect(mistake().split('\n')).toHaveLength(2);
  });
});

describe('the policy is Markdown and nothing else', () => {
  test('markup is shown as it was typed, and a dangerous address is dropped', () => {
    const [first] = readContent(folder).privacyPolicy.sections;
    expect(first!.html).toContain('&lt;script&gt;');
    expect(first!.html).not.toMatch(/<script|javascript:/);
  });

  test('facts are filled in, and sections get the anchors of their headings', () => {
    const { sections } = readContent(folder).privacyPolicy;
    expect(sections.map(({ id }) => id)).toEqual(['who-we-are', 'cookies', 'your-rights']);
    expect(sections[2]!.html).toContain('href="mailto:data@quillharbour.test"');
  });
});

function mistake(): string {
  try {
    readContent(folder);
  } catch (error) {
    if (error instanceof ContentError) return error.message;
    throw error;
  }
  return 'no mistake';
}
