import { describe, expect, it } from 'vitest';
import { copyContentForEachTest } from '../../../test/content-copy.ts';
import { hashQuestion } from './question-version.ts';
import { readContent } from '../parse-content.ts';

const copy = copyContentForEachTest();

const TAG = `tags:
  - id: visits
    category: statistics
    kind: plausible
    provider: Plausible Insights
    purpose: Counts visits
    src: https://plausible.io/js/pa-x.js
`;

describe('visitors are asked again', () => {
  it('when a tag is added, or its purpose changes', () => {
    const without = version();
    copy.change('agency.yaml', 'tags: []\n', TAG);
    const withTag = version();
    copy.change('agency.yaml', 'Counts visits', 'Follows visits');
    expect(new Set([without, withTag, version()]).size).toBe(3);
  });

  it.each([
    ['agency.yaml', 'provider: Plausible', 'provider: Other'],
    ['agency.yaml', 'statistics', 'marketing'],
    ['agency.yaml', '    src:', '    cookies: [{ name: visit, duration: a year }]\n    src:'],
    ['consent.yaml', 'Counts visits and shows', 'Records visits and shows'],
    ['consent.yaml', 'text: Only the ones', 'text: Not only the ones'],
  ])('when the banner’s text about tags changes: %s, %s', (file, from, to) => {
    copy.change('agency.yaml', 'tags: []\n', TAG);
    const before = version();
    copy.change(file, from, to);
    expect(version()).not.toBe(before);
  });

  it('but not for punctuation, capitals or the order of tags', () => {
    const other = TAG.replace('tags:\n', '').replace('id: visits', 'id: other').replace('Counts', 'Times');
    copy.change('agency.yaml', 'tags: []\n', TAG + other);
    const before = version();
    copy.change('agency.yaml', 'Counts visits', '"counts visits."');
    copy.change(
      'agency.yaml',
      TAG.replace('Counts visits', '"counts visits."') + other,
      `tags:\n${other}${TAG.replace('tags:\n', '')}`,
    );
    expect(version()).toBe(before);
  });

  it.each([
    ['a soft hyphen', 'Counts vi\u00adsits'],
    ['a space without width, pasted from a document', 'Cou\u200bnts visits'],
    ['a space that doesn’t break', 'Counts\u00a0visits'],
  ])('nor for %s', (_, purpose) => {
    copy.change('agency.yaml', 'tags: []\n', TAG);
    const before = version();
    copy.change('agency.yaml', 'purpose: Counts visits', `purpose: "${purpose}"`);
    expect(version()).toBe(before);
  });

  it('nor for an accent that is a character of its own', () => {
    copy.change('agency.yaml', 'tags: []\n', TAG.replace('Counts visits', 'Zählt Besuche'));
    const before = version();
    copy.change('agency.yaml', 'Zählt Besuche', 'Za\u0308hlt Besuche');
    expect(version()).toBe(before);
  });

  it('nor for the banner’s text if there are no tags', () => {
    const before = version();
    copy.change('consent.yaml', 'text: Only the ones', 'text: Just the ones');
    expect(version()).toBe(before);
  });

  it('nor when anything else changes', () => {
    copy.change('agency.yaml', 'tags: []\n', TAG);
    const before = version();
    copy.change('agency.yaml', 'pa-x.js', 'pa-y.js');
    copy.change('consent.yaml', 'allowAll: Allow All', 'allowAll: Yes to all');
    copy.change('agency.yaml', 'country: GB', 'country: IE');
    copy.change('consent.yaml', 'duration: 360 days', 'duration: A year');
    expect(version()).toBe(before);
  });
});

function version(): string {
  return hashQuestion(readContent(copy.folder));
}
