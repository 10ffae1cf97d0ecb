import { join, relative } from 'node:path';
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter';
import type { JsonTestResults } from 'vitest/node';

/** The counts of a step's tests. */
export type Counts = {
  passed: number;
  failures: number;
  /** The file of each skipped test, relative to the project's folder. */
  skipped: string[];
};

/**
 * @param report what the JSON reporter of Vitest or Playwright wrote
 * @param root the project's folder
 */
export function countReport(report: JsonTestResults | JSONReport, root: string): Counts {
  if ('stats' in report) {
    const { stats, suites, config } = report;
    const skipped = suites.flatMap(skippedIn).map((file) => relative(root, join(config.rootDir, file)));
    return { passed: stats.expected + stats.flaky, failures: stats.unexpected, skipped };
  }
  const skipped = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'skipped').map(() => relative(root, name)),
  );
  return { passed: report.numPassedTests, failures: report.numFailedTests, skipped };
}

function skippedIn({ specs, suites = [] }: JSONReportSuite): string[] {
  const own = specs.flatMap(({ file, tests }) => tests.filter(({ status }) => status === 'skipped').map(() => file));
  return [...own, ...suites.flatMap(skippedIn)];
}
