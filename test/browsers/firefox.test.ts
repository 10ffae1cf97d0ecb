import { describe } from 'vitest';
import { findFirefox } from '../../tools/setup/browsers.ts';
import { openFirefox } from './firefox-browser.ts';
import { changedForm } from './changed-form.ts';
import { isUnmet } from '../machine-needs.ts';
import { slowFonts } from './slow-fonts.ts';
import { unchangedForm } from './unchanged-form.ts';
import { walk } from './walk.ts';

describe.skipIf(isUnmet('Firefox', findFirefox() === undefined))('Firefox', () => {
  describe('a visit', () => {
    walk(openFirefox);
  });
  describe('a form that something else has changed', () => {
    changedForm(openFirefox);
  });
  describe('a form that nothing else has changed', () => {
    unchangedForm(openFirefox);
  });
  describe('a page whose fonts are slow', () => {
    slowFonts(openFirefox);
  });
});
