import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { copyContentForEachTest } from '../../../test/content-copy.ts';
import { openDraftForEachTest } from '../../../test/open-draft.ts';
import { checkFields } from './check-fields.ts';
import {
  keepDraftValue,
  discardChanges,
  type FieldState,
  saveFields,
  listDraftFiles,
  readFields,
  readParts,
  hashValues,
} from './draft.ts';
import type { Value } from '#content/edit-yaml.ts';
import { describeChange } from './list-changes.ts';
import { changeList, type ListAction, readFormValues } from './form-values.ts';
import { describeForm, type YamlName } from './describe-form.ts';
import { findForm } from './site-parts.ts';

vi.setConfig({ testTimeout: 30_000 });

const copy = copyContentForEachTest();
const open = openDraftForEachTest(() => copy.folder);
const read = async (id: string) => {
  const site = await open();
  return readFields(
    site,
    readParts(site).filter((part) => part.id === id),
  );
};
const sign = (fields: FieldState[]) => hashValues(fields.map(({ key, value }) => [key, value]));
const HEADLINE = 'home.hero.headline';
const PITCH = 'home.hero.pitch';
const see = async (key: string) => readFields(await open()).find((field) => field.key === key)!;
/** Types in a window that was opened when the fields had the values in `began`. */
const type = async (key: string, value: Value, began?: Record<string, string>) => {
  const fields = readFields(await open());
  await saveFields(await open(), fields, new Map([[key, value]]), began ?? sign(fields));
};

test('gives every part fields that can be saved, and puts no field into two parts', async () => {
  const fields = readFields(await open());
  expect(new Set(fields.map(({ key }) => key)).size).toBe(fields.length);
  expect(readParts(await open()).filter((part) => part.fields.length === 0)).toEqual([]);
  expect(fields.filter(({ isChanged }) => isChanged)).toEqual([]);
  expect([...listDraftFiles(await open(), fields)]).toEqual([]);
});

test('has a form for every field of content/', async () => {
  const shown = new Set(readFields(await open()).map(({ file, path }) => `${file}.${path[0]}`));
  const files: YamlName[] = ['agency', 'brand', 'home', 'faq', 'consent', 'mail', 'pages'];
  const all = files.flatMap((file) => describeForm(file).fields.map(({ name }) => `${file}.${name}`));
  expect(all.filter((field) => !shown.has(field))).toEqual([]);
});

test('saves text as a draft, not in the file, and doesn’t count a change that was undone', async () => {
  const { live } = await see(HEADLINE);
  await type(HEADLINE, 'New words');
  expect(await see(HEADLINE)).toMatchObject({ value: 'New words', live, isChanged: true, isConflict: false });
  expect(describeChange(await see(HEADLINE))).toEqual({ old: live, now: 'New words' });
  await type(HEADLINE, live);
  expect(await see(HEADLINE)).toMatchObject({ value: live, isChanged: false });
  await type(HEADLINE, 'Again');
  await discardChanges(await open(), [HEADLINE]);
  expect((await see(HEADLINE)).value).toBe(live);
});

test('removes an optional field that is emptied, and its group with it', async () => {
  const empty = { number: '', place: '' };
  await type('agency.registration', empty);
  const agency = listDraftFiles(await open()).get('agency.yaml');
  expect(agency?.toString()).not.toContain('registration:');
  // The privacy policy mentions the registration.
  expect([...checkFields(await open(), readFields(await open())).errors]).toEqual([
    ['privacy-policy.text', expect.stringContaining('Your facts do not say what {registrationNumber} is.')],
  ]);
});

test('keeps the changes of two windows; if both changed a field, the later one wins and the earlier one is shown', async () => {
  const began = sign(readFields(await open()));
  const first = new Map<string, Value>([
    [HEADLINE, 'First'],
    [PITCH, (await see(PITCH)).value],
  ]);
  await saveFields(await open(), readFields(await open()), first, began);
  const second = new Map<string, Value>([
    [HEADLINE, (await see(HEADLINE)).live],
    [PITCH, 'Second'],
  ]);
  await saveFields(await open(), readFields(await open()), second, began);
  expect([(await see(HEADLINE)).value, (await see(PITCH)).value]).toEqual(['First', 'Second']);
  await type(HEADLINE, 'Later', began);
  expect(await see(HEADLINE)).toMatchObject({ value: 'Later', earlier: 'First' });
  await keepDraftValue(await open(), await see(HEADLINE));
  expect((await see(HEADLINE)).earlier).toBeUndefined();
});

test('reports a file that changed on disk as a conflict only in the same field', async () => {
  await type(HEADLINE, 'Mine');
  copy.change('home.yaml', /pitch: .*/, 'pitch: Theirs');
  expect(await see(HEADLINE)).toMatchObject({ isConflict: false });
  expect(await see(PITCH)).toMatchObject({ value: 'Theirs', isChanged: false });
  copy.change('home.yaml', /headline: .*/, 'headline: Theirs');
  expect(await see(HEADLINE)).toMatchObject({ value: 'Mine', live: 'Theirs', isConflict: true });
  await keepDraftValue(await open(), await see(HEADLINE));
  expect(await see(HEADLINE)).toMatchObject({ value: 'Mine', isConflict: false });
  copy.change('home.yaml', 'headline: Theirs', 'headline: Mine');
  expect(await see(HEADLINE)).toMatchObject({ isChanged: false, isConflict: false });
});

test.each([
  ['agency.email', '/desk/website/addresses#agency.email', 'Addresses and offices · Email'],
  ['agency.founder.formerEmployers.name', '/desk/website/you#agency.founder.formerEmployers', /Former employers$/],
  ['agency.registration.number', '/desk/website/register#agency.registration', /^Company register/],
  ['privacy-policy.text', '/desk/website/privacy-policy#privacy-policy.text', 'Privacy policy · Text'],
  ['pages/house-rules.lastUpdated', '/desk/website/pages/house-rules#pages/house-rules.lastUpdated', /Last updated$/],
  ['picture.mark', '/desk/website/pictures#picture.mark', 'Pictures · Your mark'],
])('links a launch finding in %s to its form', async (field, url, label) => {
  expect(findForm(readParts(await open()), field)).toEqual({ url, label: expect.stringMatching(label) });
});

test('finds errors with the build’s own checks, and reports them at their fields', async () => {
  const key = 'faq.items';
  const list = (await see(key)).value as { question: string; answer: string }[];
  await type(key, [...list, { question: 'Why {nmae}?', answer: '' }]);
  await type('brand.brand.deep', '#0d3b3');
  await type('agency.email', 'hello');
  const { errors } = checkFields(await open(), readFields(await open()));
  expect(errors.get(`${key}.${list.length}.question`)).toMatch(
    /^\{nmae\} is not a placeholder\. The known ones are listed below/,
  );
  expect(errors.get(`${key}.${list.length}.answer`)).toBe('This field is empty.');
  expect(errors.get('brand.brand.deep')).toMatch(/^Expected a colour/);
  expect(errors.get('agency.email')).toMatch(/^Expected an email address/);
});

test('cleans the text that a form sends, and puts it on one line', async () => {
  const strings = {
    'faq.heading': ' Asked\r\n  often\u200B ',
    'faq.items.count': '1',
    'faq.items.0.question': 'Q',
    'faq.items.0.answer': 'A',
  };
  expect(Object.fromEntries(readFormValues(await read('questions'), strings))).toEqual({
    'faq.heading': 'Asked often',
    'faq.items': [{ question: 'Q', answer: 'A' }],
  });
  expect(readFormValues(await read('questions'), { 'faq.items.count': '9999999' }).size).toBe(0);
});

test('moves, adds and removes entries within the list’s limits', async () => {
  const field = { ...(await see('agency.tagline')), value: ['a', 'b', 'c'] };
  const change = (action: ListAction, index: number) => changeList(field, { action, list: 'agency.tagline', index });
  expect(change('up', 1)).toEqual(['b', 'a', 'c']);
  expect(change('up', 0)).toEqual(field.value);
  expect(change('down', 2)).toEqual(field.value);
  expect(change('down', 0)).toEqual(['b', 'a', 'c']);
  expect(change('remove', 7)).toEqual(field.value);
  expect(() => change('remove', 1)).toThrow('at least 3');
  expect(() => change('add', 3)).toThrow('at most 3');
});

test('changes a list inside an entry of another list', async () => {
  const areas = await see('home.focus.areas');
  const added = changeList(areas, { action: 'add', list: 'home.focus.areas.0.roles', index: 0 }) as {
    roles: string[];
  }[];
  const before = areas.value as { roles: string[] }[];
  expect(added.map(({ roles }) => roles)).toEqual([
    [...before[0]!.roles, ''],
    ...before.slice(1).map(({ roles }) => roles),
  ]);
});

test('has a form for every kind of tag, prefilled with what its provider documents', async () => {
  const tags = () => see('agency.tags');
  const add = async (variant: string) =>
    type('agency.tags', changeList(await tags(), { action: 'add', list: 'agency.tags', index: 0, variant }));
  for (const kind of ['ga4', 'linkedin', 'meta', 'matomo', 'plausible', 'calendly', 'script']) await add(kind);
  const added = (await tags()).value as Record<string, Value>[];
  expect(added.at(-7)).toMatchObject({ kind: 'ga4', category: 'statistics', measurementId: '', adsId: '' });
  const { errors } = checkFields(await open(), readFields(await open()));
  expect(errors.get(`agency.tags.${added.length - 7}.measurementId`)).toBe('This field is empty.');
  expect([...errors.keys()].filter((key) => key.startsWith(`agency.tags.${added.length - 2}`))).toEqual([]);
});

test('keeps values in the file that a script’s form doesn’t show', async () => {
  const path = join(copy.folder, 'agency.yaml');
  const script = `tags:
  - { id: adverts, kind: script, category: marketing, provider: Adverts, purpose: Measures, src: https://a.example/t.js, variables: { account: "42" } }
`;
  const before = readFileSync(path, 'utf8').replace(/^tags:(?: .*|(?:\n .*)*)\n?/m, '');
  writeFileSync(path, `${before.trimEnd()}\n${script}`);
  const [tag] = (await see('agency.tags')).value as Record<string, Value>[];
  await type('agency.tags', [{ ...tag!, purpose: 'Measures adverts' }]);
  const [[, bytes] = []] = listDraftFiles(await open());
  expect(parse(String(bytes)).tags).toMatchObject([{ purpose: 'Measures adverts', variables: { account: '42' } }]);
});
