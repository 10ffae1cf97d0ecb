import { describe } from 'vitest';
import { openWebKit, whatWebKitMisses } from './webkit-browser.ts';
import { walk } from './walk.ts';

const missing = whatWebKitMisses();
if (missing)
  console.error(`*** SKIPPED: no WebKit on this machine: ${missing}. CONTRIBUTING.md says what to install. ***`);
describe.skipIf(missing !== undefined)('WebKit', () => {
  walk(openWebKit);
});
