import { describe } from 'vitest';
import { findFirefox } from '../../tools/setup/browsers.ts';
import { openFirefox } from './firefox-browser.ts';
import { changedForm } from './changed-form.ts';
import { walk } from './walk.ts';

const isMissing = findFirefox() === undefined;
if (isMissing) console.error('*** SKIPPED: no Firefox on this machine. CONTRIBUTING.md says what to install. ***');
describe.skipIf(isMissing)('Firefox', () => {
  describe('a visit', () => {
    walk(openFirefox);
  });
  describe('a form that something else has changed', () => {
    changedForm(openFirefox);
  });
});
