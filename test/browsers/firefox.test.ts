import { describe } from 'vitest';
import { findFirefox } from '../../tools/setup/browsers.ts';
import { openFirefox } from './firefox-browser.ts';
import { changedForm } from './changed-form.ts';
import { startFormVisit } from './form-visit.ts';
import { isUnmet } from '../machine-needs.ts';
import { slowFonts, unchangedForm } from './unchanged-form.ts';
import { walk } from './walk.ts';

describe.skipIf(isUnmet('Firefox', findFirefox() === undefined))('Firefox', () => {
  describe('a visit', () => {
    walk(openFirefox);
  });
  describe('a form', () => {
    const visit = startFormVisit(openFirefox);
    describe('that an extension changed', () => {
      changedForm(visit);
    });
    describe('that nothing has changed', () => {
      unchangedForm(visit);
    });
  });
  describe('a page with slow fonts', () => {
    slowFonts(startFormVisit(openFirefox));
  });
});
