import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { scriptPlugin } from './tools/build/script-plugin.ts';

export default defineConfig({
  plugins: [scriptPlugin],
  test: {
    // Tests of servers wait more than they compute; Vitest would leave one of two cores to itself.
    maxWorkers: 4,
    // For busy machines.
    testTimeout: 20_000,
    // The files of a worker share its modules, which have no state: loading them for each would cost a third more.
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
      makeBuiltSitesProject('stress', 'test/stress/**/*.test.ts'),
      // The only one of the three browsers that npm test runs.
      makeBuiltSitesProject('chromium', 'test/browsers/chromium.test.ts'),
      makeBuiltSitesProject('browsers', 'test/browsers/{firefox,webkit}.test.ts'),
    ],
  },
});

/** Tests of built sites and running servers, some of which build a site: they get more time for a busy machine. */
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
