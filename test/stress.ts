/**
 * `npm run stress`: the tests that take too long for `npm test`, and at full size those that have a small size there.
 * Its arguments are names of test files.
 */
import { startVitest } from 'vitest/node';

const names = process.argv.slice(2);
process.env.STRESS = 'full';
const files = names.length > 0 ? names : ['test/stress/', 'kills'];
const vitest = await startVitest(files, { project: ['newsletter', 'stress'], watch: false });
await vitest.close();
