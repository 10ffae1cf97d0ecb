import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { copyContentForEachTest, readErrors } from '../../test/content-copy.ts';
import { listContentFiles, readContent } from './parse-content.ts';

const NOT_UTF_8 = 'this file is not saved as UTF-8';
const copy = copyContentForEachTest();
const errors = () => readErrors(copy.folder);

/**
 * Each error, the change to a file that causes it, as «text» → «other text», and the messages about it. `…` is the rest
 * of a line, `⏎` its end. The line of a message is relative to that of the change.
 */
const MISTAKES = `
an unknown field: agency.yaml «descriptor:» → «slogan: Hello⏎descriptor:»
  +0:1 slogan: this field is not known
a field that is missing: agency.yaml «  label: Edinburgh, UK⏎» → «»
  -1:1 location > label: this field is missing
a colon in an unquoted string: home.yaml «text: Four a year.» → «text: Four a year: no more»
  +0:9 text that contains a colon must be in quotes: "Four a year: no more"
a field written twice: agency.yaml «email:» → «name: Quill⏎email:»
  +0:1 this field is written twice
a boolean in place of a string: faq.yaml «heading: What people ask» → «heading: true»
  +0:1 heading: expected text. Put it in quotes
an empty string: home.yaml «headline: …» → «headline: ""»
  +0:3 hero > headline: nothing is written here
an invalid address: agency.yaml «https://quillharbour.test» → «quillharbour.test»
  +0:1 website: expected an address that begins with https://, with %20 in place of each space
an invalid email address: agency.yaml «office@quillharbour.test» → «office»
  +0:1 email: expected an email address, such as hello@example.org
a list of the wrong length: agency.yaml «[Listen, Search, Settle]» → «[Listen]»
  +0:1 tagline: expected three words
an unknown choice: home.yaml «icon: depth» → «icon: star»
  +0:9 intro > cards > 1 > icon: Invalid option: expected one of "depth"|"person"|"target"|"check"
a misspelt placeholder: faq.yaml «{name}» → «{nmae}»
  +0:14 items > 1 > answer: {nmae} is not a placeholder. The known ones are {name},
a placeholder that is not closed: faq.yaml «{name}» → «{name»
  +0:14 items > 1 > answer: {name is not closed. Write } after it
a placeholder among the facts: agency.yaml «Executive Search» → «The {name} Search»
  +0:17 descriptor: {name} is not filled in here, but only in the other files.
a misspelt month: privacy-policy.md «March 2026» → «Marhc 2026»
  +0:1 lastUpdated: expected an English month and a year, such as August 2025
a policy without its front matter: privacy-policy.md «---⏎heading» → «heading»
  +0:1 its front matter must be between two lines of ---.
text before the first section: privacy-policy.md «## Who we are» → «Who we are»
  -1:1 this text comes before the first "## " and would not be shown.
no section for the table of cookies: privacy-policy.md «## Cookies» → «## Storage»
  -5:1 no section has the heading "## Cookies"
a misspelt placeholder in a page: pages/house-rules.md «[{email}](» → «[{emial}](»
  +0:40 {emial} is not a placeholder. The known ones are {name},
a telephone number without + and spaces: agency.yaml «email: office» → «telephone: 442079460000⏎email: office»
  +0:1 telephone: expected a telephone number with its country code, in quotes, such as "+44 20 7946 0000"
a string that begins with *: faq.yaml «heading: What people ask» → «heading: *ask»
  +0:10 heading: text that begins with * must be in quotes
a string that begins with &, of which YAML drops a part: faq.yaml «heading: What people ask» → «heading: &friends and us»
  +0:19 heading: text that begins with & must be in quotes
a string that begins with !, which YAML drops: faq.yaml «heading: What people ask» → «heading: ! Hear this»
  +0:12 heading: text that begins with ! must be in quotes
a string that begins with @: faq.yaml «heading: What people ask» → «heading: @us»
  +0:10 text that begins with @ must be in quotes
a quotation mark within a string in quotes: faq.yaml «heading: What people ask» → «heading: 'It's asked'»
  +0:14 text follows the closing quotation mark.
a line that begins with a tab: faq.yaml «heading: What people ask» → «heading: What⏎	people: ask»
  +1:1 this line begins with a tab. Use spaces
a list that is never closed: faq.yaml «heading: What people ask» → «heading: [What»
  +1:1 an earlier [ has no closing ].
a string that begins with a placeholder: faq.yaml «heading: What people ask» → «heading: {name} is asked»
  +0:17 text that begins with { must be in quotes
a string that begins with >: faq.yaml «heading: What people ask» → «heading: > Ask»
  +0:12 text that begins with > must be in quotes
a string that begins with -: faq.yaml «heading: What people ask» → «heading: - Ask»
  +0:10 text that begins with - must be in quotes
a string that begins with ]: faq.yaml «heading: What people ask» → «heading: ] Ask»
  +0:10 text that begins with ] must be in quotes
a curly closing quotation mark: faq.yaml «heading: What people ask» → «heading: "What people ask”»
  +0:10 this text begins with " but does not end with it
a no-break space in place of a space: faq.yaml «heading: What people ask» → «heading: What people ask»
  +0:9 there is a no-break or wide space before the text.
an entry with a dash from a word processor: faq.yaml «heading: What people ask» → «heading: What people ask⏎more:⏎  – question: Why⏎    answer: x»
  +2:1 an entry of a list begins with a hyphen and a space
a word alone: faq.yaml «heading: What people ask» → «heading: What people ask⏎more»
  +1:1 this line is not a field.
a field without a space: faq.yaml «heading: What people ask» → «heading:What⏎name: x»
  +0:1 this line is not a field.
a lost character: faq.yaml «heading: What people ask» → «heading: caf�»
  +0:13 the character � stands for one that was lost. Type the original
a tag of an unknown category: agency.yaml «tags: []» → «tags: [{ category: necessary, id: a, kind: plausible, provider: A, purpose: B, src: https://a.test }]»
  +0:10 tags > 1 > category: Invalid option: expected one of "preferences"|
a tag whose cookie would clear everything: agency.yaml «tags: []» → «tags: [{ cookies: [{ name: "*", duration: ever }], id: a, category: statistics, kind: ga4, provider: A, purpose: B, measurementId: G-ABC123 }]»
  +0:22 tags > 1 > cookies > 1 > name: expected a name
two tags with the same id: agency.yaml «tags: []» → «tags: [{ id: a, category: statistics, kind: ga4, provider: A, purpose: B, measurementId: G-1 }, { id: a, category: statistics, kind: ga4, provider: A, purpose: B, measurementId: G-1 }]»
  +0:1 tags: expected each id only once
two sections with the same heading: privacy-policy.md «## Your rights» → «## Cookies»
  +0:1 an earlier section already has the heading "Cookies".
`;

const CONFLICT = 'heading: Ask\n<<<<<<< HEAD\nitems: []\n=======\nitems:\n>>>>>>> origin/main\n';
const FRONT_MATTER = '---\nheading: Rules\ntitle: Rules\ndescription: Ours.\nlastUpdated: March 2026\n---\n';

describe('reports where each error is and what is wrong', () => {
  test.each(readCases())('$title', ({ file, from, to, messages }) => {
    const line = copy.change(file, from, to);
    const found = errors();
    expect(found).toHaveLength(messages.length);
    for (const [index, message] of messages.entries()) {
      const start = message.trim().replace(/^[+-]\d/, (offset) => `${file}:${line + Number(offset)}`);
      expect(found[index]).toContain(start);
    }
  });

  test.each([
    ['an empty file', 'faq.yaml', '', '1:1 nothing is written here'],
    ['a file without fields', 'faq.yaml', 'ask', '1:1 expected fields, each a name, a colon,'],
    ['an empty policy', 'privacy-policy.md', '', '1:1 this file is empty. Begin the file with ---'],
    ['a group without its fields', 'brand.yaml', 'brand:', '1:1 brand: nothing is written here'],
    ['a page without sections', 'pages/house-rules.md', FRONT_MATTER, '7:1 this page has no section. Begin one with'],
    ['a file in Latin-1', 'faq.yaml', Buffer.from('# ask\nheading: über', 'latin1'), `2:1 ${NOT_UTF_8}`],
    ['a file in UTF-16', 'faq.yaml', Buffer.from('\uFEFFheading: ask', 'utf16le'), `1:1 ${NOT_UTF_8}`],
    [
      'a file with Git’s conflict markers',
      'faq.yaml',
      CONFLICT,
      '2:1 two versions of this file conflict here, and Git kept both.',
    ],
    [
      'the rest of Git’s conflict markers',
      'privacy-policy.md',
      FRONT_MATTER + '## Cookies\n\n=======\nOurs.\n>>>>>>> main\n',
      '11:1 two versions of this file conflict here',
    ],
    ['a file of zeros', 'faq.yaml', Buffer.alloc(9), '1:1 this file is damaged: zeros begin here'],
    ['a file with zeros at its end', 'faq.yaml', Buffer.from('# ask\nheading: x\0'), '2:1 this file is damaged'],
    ['brackets inside each other', 'faq.yaml', '['.repeat(5_000), '1:'],
    ['braces inside each other', 'faq.yaml', '{'.repeat(5_000), '1:'],
  ])('%s', (_, file, text, expected) => {
    writeFileSync(join(copy.folder, file), text);
    expect(errors()).toEqual([expect.stringContaining(`${file}:${expected}`)]);
  });

  test.each([
    [
      'House Rules.md',
      '1:1 its address may have only lowercase Latin letters, digits and hyphens. Give the file another name',
    ],
    ['newsletter.md', '1:1 the path /newsletter is taken. Give the file another name'],
  ])('reports a page named %s', (name, expected) => {
    renameSync(join(copy.folder, 'pages/house-rules.md'), join(copy.folder, 'pages', name));
    expect(errors()).toEqual([expect.stringContaining(`${name}:${expected}`)]);
  });

  test('reads the line endings of old Macs', () => {
    writeFileSync(join(copy.folder, 'faq.yaml'), '# ask\rheading: Ask\ritems: []\r');
    expect(errors()).toEqual([expect.stringMatching(/faq\.yaml:3:1 items: expected at least one question$/)]);
  });

  test('distinguishes a file that can’t be read from a missing one', () => {
    rmSync(join(copy.folder, 'faq.yaml'));
    mkdirSync(join(copy.folder, 'faq.yaml'));
    expect(errors()).toEqual([expect.stringMatching(/faq\.yaml:1:1 this file can’t be read, or is a folder$/)]);
  });

  test('reports a missing file', () => {
    rmSync(join(copy.folder, 'faq.yaml'));
    expect(errors()).toEqual([expect.stringMatching(/faq\.yaml:1:1 this file is missing$/)]);
  });

  test('ignores an error in a draft of an update', () => {
    mkdirSync(join(copy.folder, 'updates'));
    writeFileSync(join(copy.folder, 'updates/draft.md'), 'subject: not yet');
    writeFileSync(join(copy.folder, 'updates/notes.markdown'), 'not yet');
    expect(errors()).toEqual([]);
  });

  test('reports all errors of all files at once, one line each, in the order of the files', () => {
    const number = copy.change('agency.yaml', 'SC999999', 'SC9');
    const address = copy.change('agency.yaml', 'office@', 'office at ');
    const icon = copy.change('home.yaml', 'icon: depth', 'icon: star');
    const text = copy.change('consent.yaml', 'title: This website', 'title: Cookies: this website');
    const other = copy.change('consent.yaml', 'policy: Read', 'policy: Policy: read');
    const answer = copy.change('faq.yaml', '{name}', '{nmae}');
    copy.change('privacy-policy.md', '## Cookies', '## Storage');
    expect(errors().map((error) => /([\w.-]+:\d+):/.exec(error)?.[1])).toEqual([
      `agency.yaml:${address}`,
      `agency.yaml:${number}`,
      `home.yaml:${icon}`,
      `faq.yaml:${answer}`,
      `consent.yaml:${text}`,
      `consent.yaml:${other}`,
      'privacy-policy.md:7',
    ]);
  });
});

test('ignores Windows line endings and a byte order mark', () => {
  const before = readContent(copy.folder);
  for (const file of listContentFiles(copy.folder)) {
    const path = join(copy.folder, file);
    writeFileSync(path, `\uFEFF${readFileSync(path, 'utf8').replaceAll('\n', '\r\n')}`);
  }
  expect(readContent(copy.folder)).toEqual(before);
});

test('removes invisible characters, which copied text may contain', () => {
  const before = readContent(copy.folder);
  copy.change('faq.yaml', 'heading: What people ask', '\u200Bheading: What\u2028peo\u0001ple ask');
  expect(readContent(copy.folder)).toEqual(before);
});

test('reads a number as text, with or without quotes', () => {
  copy.change('agency.yaml', 'SC999999', '00000001');
  copy.change('faq.yaml', 'heading: What people ask', 'heading: 1e3');
  expect(readContent(copy.folder)).toMatchObject({
    agency: { registration: { number: '00000001' } },
    faq: { heading: '1e3' },
  });
});

describe('in the policy', () => {
  test('shows markup and dangerous links as they were typed', () => {
    const links = '[Bad](javascript:alert(1)) [Bad](JAVA&#x73;cript&colon;alert(1)) [Bad](data:text/html,bad)';
    copy.change('privacy-policy.md', '<script>', `${links} <script>`);
    const [first] = readContent(copy.folder).privacyPolicy.sections;
    expect(first!.html).toContain('&lt;script&gt;');
    expect(first!.html).not.toMatch(/<script|<a/);
  });

  test('fills in facts, and gives sections the anchors of their headings', () => {
    const { sections } = readContent(copy.folder).privacyPolicy;
    expect(sections.map(({ id }) => id)).toEqual(['who-we-are', 'cookies', 'your-rights']);
    expect(sections[2]!.html).toContain('href="mailto:data@quillharbour.test"');
  });
});

test('finds no pages in a folder without pages', () => {
  rmSync(join(copy.folder, 'pages'), { recursive: true });
  expect(readContent(copy.folder).markdownPages).toEqual([]);
});

function readCases() {
  const cases = MISTAKES.trim().split(/\n(?! )/);
  return cases.map((lines) => {
    const [change = '', ...messages] = lines.split('\n');
    const texts = /^(.+): (\S+) «(.*)» → «(.*)»$/.exec(change)!.map((text) => text.replaceAll('⏎', '\n'));
    const [, title = '', file = '', from = '', to = ''] = texts;
    return { title, file, from: from.endsWith('…') ? new RegExp(from.replace('…', '.*')) : from, to, messages };
  });
}
