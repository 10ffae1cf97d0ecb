import { describe } from 'vitest';
import { openWebKit, whatWebKitMisses } from './webkit-browser.ts';
import { changedForm } from './changed-form.ts';
import { isUnmet } from '../machine-needs.ts';
import { walk } from './walk.ts';

describe.skipIf(isUnmet('WebKit', whatWebKitMisses() !== undefined))('WebKit', () => {
  describe('a visit', () => {
    walk(openWebKit);
  });
  describe('a form that something else has changed', () => {
    changedForm(openWebKit);
  });
});
