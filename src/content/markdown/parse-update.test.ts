import { expect, test } from 'vitest';
import { createPlaceholderFiller } from '../text/placeholders.ts';
import { parseUpdate } from './parse-update.ts';

const fill = createPlaceholderFiller(
  {
    name: 'Quill',
    email: 'ada@quill.example',
    founder: { name: 'Ada' },
    dataProtection: { regulator: { url: 'https://ico.example' } },
  },
  { isWhole: false },
);
const parse = (source: string) => parseUpdate(source, { fill, isPublicFile: (path) => path === '/chart.png' });

const update = (text: string, frontMatter = 'subject: Pay\npreview: What we saw') =>
  `---\n${frontMatter}\n---\n${text}`;

test('reads an update’s front matter, fills in its placeholders, and gives a changed text a different hash', () => {
  const { update: first, errors } = parse(update('Ask {founder}.', 'subject: Pay at {name}\npreview: What we saw'));
  expect(errors).toEqual([]);
  expect(first).toMatchObject({ subject: 'Pay at Quill', preview: 'What we saw' });
  expect(JSON.stringify(first?.body)).toContain('Ask Ada.');
  expect(parse(update('Ask {founder}!', 'subject: Pay at {name}\npreview: What we saw')).update?.textHash).not.toBe(
    first?.textHash,
  );
});

test.each(['[us](mailto:{email})', '[us](mailto:{email}?subject=Pay)', '[the regulator]({regulatorUrl})'])(
  'checks a link with its placeholders filled in: %s',
  (link) => {
    const { update: parsed, errors } = parse(update(link));
    expect(errors).toEqual([]);
    expect(parsed!.body[0]!.children[0]!.url).toMatch(/^(mailto:ada@quill\.example|https:\/\/ico\.example$)/);
  },
);

test.each([
  ['a blank line before them', '\n\n---\nsubject: Pay\npreview: b\n---\nOne {brand}.', 7],
  ['a space after the first ---', '--- \nsubject: Pay\npreview: b\n---\nOne {brand}.', 5],
  ['a tab after the second ---', '---\nsubject: Pay\npreview: b\n---\t\nOne {brand}.', 5],
])('finds front matter with %s, and counts lines from the top of the file', (_, source, line) => {
  expect(parse(source).errors).toMatchObject([{ line, message: expect.stringContaining('{brand}') }]);
  expect(parse(source.replace('subject: Pay', 'subject: @')).errors[0]).toMatchObject({ line: line - 3 });
});

test('warns about Markdown that would be sent as it was typed, including in the front matter', () => {
  const source = update('One\n\n**two **', 'preview: b\nsubject: "**Pay** rose"');
  expect(parse(source).update?.warnings).toMatchObject([
    { line: 3, field: 'subject', message: expect.stringContaining('** will be sent') },
    { line: 7, message: expect.stringContaining('** will be sent') },
  ]);
});

test('allows an update for some roles, and for people without a role', () => {
  expect(parse(update('x', 'subject: a\npreview: b\nroles: [Founder, ""]')).update?.roles).toEqual(['Founder', '']);
});

test.each([
  ['no front matter', 'Hello', '1:1 its front matter must be between two lines of ---'],
  ['no subject', update('x', 'preview: b'), '2:1 subject this field is missing'],
  ['an unknown role', update('x', 'subject: a\npreview: b\nroles: [Chef]'), '4:9 roles > 1 expected one of Founder'],
  ['an http link', update('\nSee [us](http://a.example).'), '6:1 link: expected an address that begins with https'],
  ['a picture without a description', update('![](/chart.png)'), '5:1 image: describe it'],
  ['a picture that is not in public/', update('![Pay](/pay.png)'), '5:1 image: expected a file in public/'],
  ['a placeholder that is not known', update('\nOne\ntwo {brand}.'), '7:5 {brand} is not a placeholder'],
  ['a link in a list', update('- One\n- two,\n  [us](http://a.example)'), '7:1 link: expected'],
  ['the second link of a quote', update('> [a](https://a.example) &\n> [b](/b)'), '6:1 link: expected'],
  ['a reference-style link', update('One [a][b].\n\n[b]: ftp://a.example'), '5:1 link: expected'],
  [
    'a link without a host',
    update('[us](https://)'),
    '5:1 link: expected an address that begins with https:// or mailto:, but found "https://"',
  ],
  ['a mailto link without an address', update('[us](mailto:)'), '5:1 link: expected'],
  ['a small heading', update('One\n\n#### Two'), '7:1 heading: expected at most three #'],
  ['code', update('One\n\n```\ntwo\n```'), '7:1 code: emails show'],
  ['a table', update('One\n\n| a | b |\n|---|---|\n| 1 | 2 |'), '7:1 table: emails show'],
  ['inline HTML', update('One <b>two</b>'), '5:1 html: emails show'],
  ['HTML', update('<script>alert(1)</script>'), '5:1 html: emails show'],
  ['no text', update('\n'), '4:1 this update has no text'],
])('reports %s with its position', (_, source, expected) => {
  const { update: parsed, errors } = parse(source);
  expect(parsed).toBeUndefined();
  expect(
    errors.map(({ line, column, field, message }) => [`${line}:${column}`, field, message].filter(Boolean).join(' ')),
  ).toContainEqual(expect.stringContaining(expected));
});

test('lists an update’s pictures with their lines', () => {
  expect(parse(update('One\n\n- ![Pay](/chart.png)')).update?.images).toMatchObject([{ url: '/chart.png', line: 7 }]);
});

test('follows Markdown’s rules for emphasis, entities and line breaks', () => {
  const { update: parsed } = parse(update('Tea &amp; *cake*\\\nat **{name}**'));
  const [paragraph] = parsed!.body;
  expect(paragraph!.children.map(({ type, text, children }) => [type, text || children[0]?.text])).toEqual([
    ['text', 'Tea & '],
    ['em', 'cake'],
    ['hardbreak', undefined],
    ['text', 'at '],
    ['strong', 'Quill'],
  ]);
});
