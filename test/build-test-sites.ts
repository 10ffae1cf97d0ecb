/**
 * Builds the tests' sites, and says what to do if that fails: a step of `npm test` before all that need them.
 */
import { relative } from 'node:path';

try {
  const { buildSites } = await import('./built-sites.ts');
  await buildSites();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error(
    `\nThe tests run on ${relative(process.cwd(), `${import.meta.dirname}/content`)}, which must have the shape of ` +
      'src/content/schemas/content-schema.ts: a new field of content/ belongs there too.',
  );
  process.exitCode = 1;
}
