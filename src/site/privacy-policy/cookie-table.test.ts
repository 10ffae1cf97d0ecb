import { consent } from 'virtual:content';
import { expect, test } from 'vitest';
import { STORAGE_KEYS } from '#site/consent/consent-rules.ts';
import { LAST_SUBMIT_KEY } from '#site/newsletter/last-submit.ts';

test('the policy lists exactly what the site itself keeps in a browser', () => {
  const listed = consent.ownStorage.map(({ name }) => name);
  expect(listed.toSorted()).toEqual([...STORAGE_KEYS, LAST_SUBMIT_KEY].toSorted());
});
