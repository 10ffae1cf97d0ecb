/**
 * Runs newsletter tests at full size: `npm run stress`, `npm run stress:updates`. Its arguments are test files.
 */
import { startVitest } from 'vitest/node';

process.env.STRESS = 'full';
const vitest = await startVitest(process.argv.slice(2), { project: ['newsletter', 'stress'], watch: false });
await vitest.close();
