import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allowedCategories,
  type Choice,
  chooseOpening,
  type Preferences,
  resolvePreferences,
  readConsent,
  makeRecord,
  type StoredConsent,
} from './consent-rules.ts';
import { anyPreferences, nothing, onlyStatistics } from './sample-preferences.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const DAY = 24 * 60 * 60 * 1000;
const QUESTION = { version: 'v1', hasTags: true };

const everything: Preferences = { necessary: true, preferences: true, statistics: true, marketing: true };

const anyChoice = fc.constantFrom<Choice[]>('all', 'essential', 'custom');
const anyTime = fc.nat({ max: 4_000_000_000_000 });

function stored(change: Partial<StoredConsent> = {}): StoredConsent {
  return { ...makeRecord('custom', onlyStatistics, NOW, 'v1'), ...change };
}

function read(change: Partial<StoredConsent>, now = NOW) {
  return readConsent(stored(change), now, QUESTION);
}

describe('a stored choice', () => {
  it('is read back unchanged for 360 days', () => {
    fc.assert(
      fc.property(anyChoice, anyPreferences, anyTime, fc.nat({ max: 360 * DAY }), (choice, selected, made, age) => {
        const preferences = resolvePreferences(choice, selected);
        const record = makeRecord(choice, preferences, made, 'v1');
        expect(readConsent(record, made + age, QUESTION)).toEqual({ status: 'given', choice, preferences });
      }),
    );
  });

  it('allows everything, only what is necessary, or what was selected', () => {
    expect(resolvePreferences('all', nothing)).toEqual(everything);
    expect(resolvePreferences('essential', everything)).toEqual(nothing);
    expect(resolvePreferences('custom', { ...onlyStatistics, necessary: false })).toEqual(onlyStatistics);
  });

  it('is stored as the specification says', () => {
    expect(makeRecord('custom', onlyStatistics, NOW, 'v1')).toEqual({
      cookie_consent: 'custom',
      cookie_consent_timestamp: String(NOW),
      cookie_preferences: '{"necessary":true,"preferences":false,"statistics":true,"marketing":false}',
      cookie_consent_version: 'v1',
    });
  });

  it('has expired once 360 days have passed', () => {
    expect(read({}, NOW + 360 * DAY).status).toBe('given');
    expect(read({}, NOW + 360 * DAY + 1)).toEqual({ status: 'expired' });
  });
});

describe('a record that the banner can’t have written counts as no consent', () => {
  // Preferences that fit every choice except "all".
  const denied = { cookie_preferences: JSON.stringify(nothing) };
  it.each<[string, Partial<StoredConsent>]>([
    ['nothing stored', { cookie_consent: null, cookie_preferences: null, cookie_consent_timestamp: null }],
    ['an unknown choice', { cookie_consent: 'some', ...denied }],
    ['no timestamp', { cookie_consent_timestamp: null }],
    ['a timestamp from the future', { cookie_consent_timestamp: String(NOW + 1) }],
    ['preferences that aren’t JSON', { cookie_preferences: '{' }],
    ['a preference missing', { cookie_preferences: '{"necessary":true,"preferences":false,"statistics":true}' }],
    ['necessary cookies denied', { cookie_preferences: JSON.stringify({ ...nothing, necessary: false }) }],
    ['a selection without its preferences', { cookie_consent: 'custom', cookie_preferences: null }],
    ['"all" with something denied', { cookie_consent: 'all', cookie_preferences: JSON.stringify(onlyStatistics) }],
    [
      '"essential" with something allowed',
      { cookie_consent: 'essential', cookie_preferences: JSON.stringify(onlyStatistics) },
    ],
  ])('%s', (_, change) => {
    expect(read(change)).toEqual({ status: 'none' });
  });

  it('a choice with an empty timestamp has expired', () => {
    expect(read({ cookie_consent_timestamp: '' })).toEqual({ status: 'expired' });
  });

  it('never throws, and allows nothing that wasn’t chosen, whatever is stored', () => {
    const anyText = fc.option(
      fc.oneof(fc.string(), fc.json(), fc.constantFrom('all', 'custom', 'essential', 'v1', String(NOW))),
    );
    const anyStored = fc.record({
      cookie_consent: anyText,
      cookie_consent_timestamp: anyText,
      cookie_preferences: fc.oneof(
        anyText,
        anyPreferences.map((preferences) => JSON.stringify(preferences)),
      ),
      cookie_consent_version: anyText,
    });
    fc.assert(
      fc.property(anyStored, fc.oneof(fc.integer(), fc.double(), anyTime), (garbage, now) => {
        const consent = readConsent(garbage, now, QUESTION);
        const allowed = allowedCategories(consent);
        const asked =
          consent.status === 'given' &&
          garbage.cookie_consent_version === 'v1' &&
          now - Number(garbage.cookie_consent_timestamp) <= 360 * DAY &&
          now >= Number(garbage.cookie_consent_timestamp);
        expect(allowed).toEqual(asked ? resolvePreferences(consent.choice, allowed) : nothing);
      }),
      { numRuns: 1000 },
    );
  });

  it('"all" and "essential" are valid without stored preferences', () => {
    expect(allowedCategories(read({ cookie_consent: 'all', cookie_preferences: null }))).toEqual(everything);
    expect(read({ cookie_consent: 'essential', cookie_preferences: null })).toMatchObject({ status: 'given' });
  });

  it('reads only the four preferences', () => {
    const preferences = JSON.stringify({ ...onlyStatistics, tracking: true });
    expect(allowedCategories(read({ cookie_preferences: preferences }))).toEqual(onlyStatistics);
  });
});

describe('when the question has changed', () => {
  it('nothing is allowed or filled in until the visitor has answered', () => {
    const consent = read({ cookie_consent_version: 'v0' });
    expect(consent).toEqual({ status: 'outdated' });
    expect(allowedCategories(consent)).toEqual(nothing);
  });

  it('asks again about a choice without a version if there are tags, and accepts it if there are none', () => {
    const unversioned = stored({ cookie_consent_version: null });
    expect(readConsent(unversioned, NOW, { version: 'v1', hasTags: true }).status).toBe('outdated');
    expect(readConsent(unversioned, NOW, { version: 'v1', hasTags: false }).status).toBe('given');
  });
});

describe('how the banner opens', () => {
  it('mentions the Global Privacy Control signal only while there is no explicit choice', () => {
    expect(chooseOpening({ status: 'none' }, true)).toBe('signal');
    expect(chooseOpening({ status: 'expired' }, true)).toBe('signal');
    expect(chooseOpening({ status: 'outdated' }, true)).toBe('signal');
    expect(chooseOpening({ status: 'given', choice: 'all', preferences: everything }, true)).toBe('text');
    expect(chooseOpening({ status: 'none' }, false)).toBe('text');
  });

  it('says why a visitor who has answered is asked again', () => {
    expect(chooseOpening({ status: 'outdated' }, false)).toBe('changed');
    expect(chooseOpening({ status: 'expired' }, false)).toBe('text');
  });
});
