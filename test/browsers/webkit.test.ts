import { describe } from 'vitest';
import { openWebKit, whatWebKitMisses } from './webkit-browser.ts';
import { isUnmet } from '../machine-needs.ts';
import { walk } from './walk.ts';

describe.skipIf(isUnmet('WebKit', whatWebKitMisses() !== undefined))('WebKit', () => {
  walk(openWebKit);
});
