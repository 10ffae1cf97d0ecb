import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { scriptPlugin } from './tools/build/script-plugin.ts';

export default defineConfig({
  plugins: [scriptPlugin],
  test: {
    // Server tests mostly wait instead of using the CPU; by default Vitest would use only one of two cores for them.
    maxWorkers: 4,
    // Generous, so that tests also pass on a busy machine.
    testTimeout: 20_000,
    // The files in a worker share modules, which are stateless: loading them for each file would take a third longer.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    setupFiles: ['test/no-console-errors.ts'],
    projects: [
      { extends: true, test: { name: 'unit', include: ['{src,tools,integrations}/**/*.test.ts'] } },
      { extends: true, test: { name: 'component', include: ['src/**/*.test.tsx'], environment: 'happy-dom' } },
      makeBuiltSitesProject('built', 'test/site/**/*.test.ts'),
      makeBuiltSitesProject('newsletter', 'test/newsletter/**/*.test.ts', 'test/newsletter/setup/postgres-server.ts'),
      makeBuiltSitesProject('stress', 'test/stress/**/*.test.ts', 'test/newsletter/setup/postgres-server.ts'),
      // Of the three browsers, npm test runs only this one.
      makeBuiltSitesProject('chromium', 'test/browsers/chromium.test.ts'),
      makeBuiltSitesProject('browsers', 'test/browsers/{firefox,webkit}.test.ts'),
    ],
  },
});

/** Tests of built sites and running servers. Some build a site, so they get more time in case the machine is busy. */
function makeBuiltSitesProject(name: string, include: string, ...globalSetup: string[]): TestProjectConfiguration {
  return {
    extends: true,
    test: {
      name,
      include: [include],
      globalSetup: ['test/global-setup.ts', ...globalSetup],
      testTimeout: 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 30_000 } },
    },
  };
}
