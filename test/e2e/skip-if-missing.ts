import { type MachineNeed, recordSkipped } from '../../tools/check/skipped-tests.ts';
import { test } from './site.ts';

/**
 * Skips a test, or the tests of a group, for lack of something on this machine. `npm test` reports it at the end.
 * @param file absolute path of the test's file
 */
export function skipIfMissing(isMissing: boolean, need: MachineNeed, file: string): void {
  if (isMissing) recordSkipped(file, need);
  test.skip(isMissing, need);
}
