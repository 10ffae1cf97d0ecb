import { expect } from 'vitest';
import { type MachineNeed, recordSkipped } from '../tools/check/skipped-tests.ts';

/**
 * For `test.skipIf`: whether this machine lacks what the tests in this file need. `npm test` reports it at the end.
 * @param isMissing whether the machine lacks it
 */
export function isUnmet(need: MachineNeed, isMissing: boolean): boolean {
  if (isMissing) recordSkipped(expect.getState().testPath!, need);
  return isMissing;
}
