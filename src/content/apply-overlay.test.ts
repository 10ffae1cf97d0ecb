import { expect, test, vi } from 'vitest';
import { copyContentForEachTest } from '../../test/content-copy.ts';
import { TEST_CONTENT } from '../../test/test-content.ts';
import { isGroup, type Value } from './edit-yaml.ts';
import { fitOverlay, applyOverlay } from './apply-overlay.ts';
import { type Overlay, readBase } from './overlay.ts';
import { checkContentFiles, type Drafts, SCHEMAS } from './parse-content.ts';
import { listPages, readSource, readValues } from './source-files.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Tries every 23rd field, which takes two seconds; `EACH=1` tries all of them, in a minute. */
const EACH = Number(process.env.EACH ?? 23);

const copy = copyContentForEachTest();
const base = () => ({ folder: copy.folder, readPicture: () => undefined });
const find = (drafts: Drafts) => checkContentFiles(copy.folder, drafts).errors;
const fit = (overlay: Overlay) => fitOverlay(base(), overlay, find);
const field = (value: Value) => ({ value, over: null });

/** Every string, choice and list in the tests' content, by its key. */
function listValues(): Map<string, Value> {
  const values = new Map<string, Value>();
  const add = (key: string, value: Value) => {
    if (isGroup(value)) for (const [name, each] of Object.entries(value)) add(`${key}.${name}`, each);
    else values.set(key, value);
  };
  for (const name of [...Object.keys(SCHEMAS), ...listPages(TEST_CONTENT)]) {
    add(name, readValues(name, readSource(TEST_CONTENT, name)));
  }
  return values;
}

test('leaves a field out, adds a page and removes one', () => {
  const { drafts } = applyOverlay(base(), {
    'agency.registration': field(null),
    'page:pages/terms': field(true),
    'pages/terms.heading': field('Terms'),
    'pages/terms.text': field('## Fees\n\nA share.'),
    'page:pages/house-rules': field(false),
    'pages/house-rules.heading': field('Not shown'),
  });
  expect(drafts.get('agency.yaml')?.toString()).not.toContain('registration');
  expect(drafts.get('pages/terms.md')?.toString()).toBe('---\nheading: Terms\n---\n\n## Fees\n\nA share.\n');
  expect([drafts.has('pages/house-rules.md'), drafts.get('pages/house-rules.md')]).toEqual([true, undefined]);
});

test('accepts changes to all fields at the same time', () => {
  const overlay = Object.fromEntries([...listValues()].map(([key, value]) => [key, field(value)]));
  expect(Object.keys(overlay).length).toBeGreaterThan(150);
  expect(fit(overlay).misfits).toEqual([]);
});

test('falls back to Git’s value only for the field with a wrong value, whatever that is', () => {
  const wrong: unknown[] = [7, { some: 'group' }, [['a list']], '{nobodyKnows}', 'x'.repeat(100_000)];
  const keys = [...listValues().keys()];
  expect(keys.length * wrong.length).toBeGreaterThan(800);
  const all = keys.flatMap((key) => wrong.map((value) => [key, value as Value] as const));
  for (const [key, value] of all.filter((_, index) => index % EACH === 0)) {
    const { drafts, misfits } = fit({ 'home.footerSignUp.doneHeading': field('Kept'), [key]: field(value) });
    expect(find(drafts), `${key}: ${JSON.stringify(value).slice(0, 40)}`).toEqual([]);
    expect(misfits.filter((misfit) => misfit.key !== key)).toEqual([]);
  }
});

test('leaves out unknown fields, and all fields of a page that no longer exists', () => {
  const { misfits } = fit({
    'home.hero.wave': field('Hello'),
    'nothing.at.all': field('Hello'),
    'picture.banner': field('a.png'),
    'picture.portrait': field('lost.jpg'),
    'pages/gone.text': field('## Hello'),
    '__proto__.x': field('Hello'),
    '': field('Hello'),
  });
  expect(misfits.map(({ key }) => key).toSorted()).toEqual(
    [
      '',
      '__proto__.x',
      'home.hero.wave',
      'nothing.at.all',
      'pages/gone.text',
      'picture.banner',
      'picture.portrait',
    ].toSorted(),
  );
});

test('restores a fact that the owner has removed, and nothing else, if text in Git refers to it', () => {
  const { misfits } = fit({
    'agency.registration': field(null),
    'home.hero.headline': field('Kept'),
    'faq.heading': field('Kept'),
  });
  expect(misfits).toEqual([{ key: 'agency.registration', message: expect.stringContaining('{registrationPlace}') }]);
});

test('reads Git’s value of a field, including whether there is a page and null for a field that is left out', () => {
  expect(readBase(copy.folder, 'faq.heading')).toBe(listValues().get('faq.heading'));
  expect(readBase(copy.folder, 'page:pages/house-rules')).toBe(true);
  expect(readBase(copy.folder, 'page:pages/none')).toBe(false);
  expect(readBase(copy.folder, 'home.hero.none')).toBeNull();
});
