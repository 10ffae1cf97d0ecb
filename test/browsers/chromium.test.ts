import { describe } from 'vitest';
import { changedForm } from './changed-form.ts';
import { openChromium } from './chromium-browser.ts';
import { walk } from './walk.ts';

describe('a visit', () => {
  walk(openChromium);
});
describe('a form that something else has changed', () => {
  changedForm(openChromium);
});
