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

  it('when the wording of the banner changes', () => {
    const before = version();
    copy.change('consent.yaml', 'title: This website', 'title: Our website');
    expect(version()).not.toBe(before);
  });

  it('but not when anything else changes', () => {
    const before = version();
    copy.change('agency.yaml', 'country: GB', 'country: IE');
    copy.change('consent.yaml', 'duration: 360 days', 'duration: A year');
    expect(version()).toBe(before);
  });
});

function version(): string {
  return hashQuestion(readContent(copy.folder));
}
