/**
 * Builds the sites of the tests, and says what to do where that fails: a step of `npm test` before all that need them.
 */
import { relative } from 'node:path';

try {
  const { default: buildAll } = await import('./global-setup.ts');
  await buildAll();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error(
    `\nThe tests run on ${relative(process.cwd(), `${import.meta.dirname}/content`)}, which must have the shape of ` +
      'src/shared/content-schema.ts: a new field of content/ belongs there too.',
  );
  process.exitCode = 1;
}
