import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { agencySchema } from './agency-schema.ts';

const { tags: tagsSchema, language: languageSchema } = agencySchema.shape;

test('accepts the examples in docs/tags.md, which has one of every kind of tag', () => {
  const guide = readFileSync(new URL('../../../docs/tags.md', import.meta.url), 'utf8');
  const [, example] = /```yaml\n(tags:.*?)```/s.exec(guide)!;
  const tags = tagsSchema.parse(parse(example!).tags);
  const kinds = ['plausible', 'ga4', 'linkedin', 'meta', 'matomo', 'calendly', 'script'];
  expect(new Set(tags.map(({ kind }) => kind))).toEqual(new Set(kinds));
});

test.each<[string, object]>([
  ['a host with a path', { hosts: ['https://tags.example/collect'] }],
  ['a host with an asterisk in the middle', { hosts: ['https://tags.*.example'] }],
  ['a variable that no script can have', { variables: { 'a-b': '1' } }],
  ['an attribute that runs a script', { attributes: { onload: 'alert(1)' } }],
])('rejects %s', (_, change) => {
  const tag = {
    id: 'a',
    category: 'marketing',
    kind: 'script',
    provider: 'A',
    purpose: 'Runs',
    src: 'https://a.example/a.js',
  };
  expect(tagsSchema.safeParse([tag]).success).toBe(true);
  expect(tagsSchema.safeParse([{ ...tag, ...change }]).success).toBe(false);
});

test.each(['en-GB', 'de', 'nl', 'fr-CH', 'pt-BR', 'zh-Hant', 'sr-Latn-RS', 'es-419'])(
  'accepts %s as a language',
  (code) => {
    expect(languageSchema.parse(code)).toBe(code);
  },
);

test.each(['en-UK', 'pt-br', 'de_DE', 'German', 'dk', 'jp', 'de-QQ', ''])('rejects %j as a language', (code) => {
  expect(languageSchema.safeParse(code).error?.issues[0]?.message).toContain('such as en-GB or de');
});
