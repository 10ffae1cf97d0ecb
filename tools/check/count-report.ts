import { join, relative } from 'node:path';
import type { JSONReport, JSONReportSpec, JSONReportSuite } from '@playwright/test/reporter';
import type { JsonTestResults } from 'vitest/node';

/** The counts of a step's tests. */
export type Counts = {
  passed: number;
  /** The file, relative to the project's folder, and the title of each test that failed, and why. */
  failed: string[];
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
    const toPath = (file: string) => relative(root, join(config.rootDir, file));
    const specs = suites.flatMap(listSpecs);
    const skipped = specs.flatMap(({ file, tests }) =>
      tests.filter(({ status }) => status === 'skipped').map(() => toPath(file)),
    );
    const failed = specs
      .filter(({ ok }) => !ok)
      .map(({ file, title, tests }) => `${toPath(file)}: ${title}\n${tests[0]?.results[0]?.error?.message ?? ''}`);
    return { passed: stats.expected + stats.flaky, failed, skipped };
  }
  const skipped = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'skipped').map(() => relative(root, name)),
  );
  const failed = report.testResults.flatMap(({ name, message, assertionResults }) => {
    const tests = assertionResults.filter(({ status }) => status === 'failed');
    const file = relative(root, name);
    // A file that fails outside its tests has a message of its own.
    if (message !== '' && tests.length === 0) return [`${file}\n${message}`];
    return tests.map(({ fullName, failureMessages }) => `${file}: ${fullName}\n${failureMessages?.[0] ?? ''}`);
  });
  return { passed: report.numPassedTests, failed, skipped };
}

function listSpecs({ specs, suites = [] }: JSONReportSuite): JSONReportSpec[] {
  return [...specs, ...suites.flatMap(listSpecs)];
}
