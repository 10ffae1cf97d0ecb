import fc from 'fast-check';
import type { Preferences } from './consent-rules.ts';

export const nothing: Preferences = { necessary: true, preferences: false, statistics: false, marketing: false };
export const onlyStatistics: Preferences = { ...nothing, statistics: true };

export const anyPreferences: fc.Arbitrary<Preferences> = fc.record({
  necessary: fc.constant(true),
  preferences: fc.boolean(),
  statistics: fc.boolean(),
  marketing: fc.boolean(),
});
