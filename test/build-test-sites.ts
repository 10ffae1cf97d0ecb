/**
 * Builds the test sites, and says what to do if that fails. `npm test` runs it before the steps that need the sites.
 */
import { relative } from 'node:path';

try {
  const { buildSites } = await import('./built-sites.ts');
  await buildSites();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error(
    `\nThe tests run on ${relative(process.cwd(), `${import.meta.dirname}/content`)}, which must match the schemas in ` +
      'src/content/schemas/content-schema.ts: add new content fields there too.',
  );
  process.exitCode = 1;
}
