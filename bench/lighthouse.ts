import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { BROWSER } from './browser.ts';
import type { Reading } from './metrics.ts';

const COMMAND = fileURLToPath(new URL('node_modules/lighthouse/cli/index.js', import.meta.url));
const CHROME = ['--headless=new', '--disable-gpu', ...BROWSER.args].join(' ');
const OPTIONS = ['--quiet', '--output=json', '--only-categories=performance', `--chrome-flags=${CHROME}`];

/** Lighthouse's own mobile run of a first visit to a page, in a browser of its own. */
export function runLighthouse(url: string): Reading {
  const { stdout } = spawnSync(process.execPath, [COMMAND, url, ...OPTIONS], {
    encoding: 'utf8',
    env: { ...process.env, CHROME_PATH: BROWSER.executablePath },
    maxBuffer: Infinity,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { audits, runtimeError } = JSON.parse(stdout);
  // Now and then a busy machine gives Lighthouse a trace without its beginning: that run has no figures.
  if (runtimeError) return {};
  const value = (id: string): number => audits[id].numericValue;
  return {
    fcp: value('first-contentful-paint'),
    lcp: value('largest-contentful-paint'),
    tbt: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    speedIndex: value('speed-index'),
  };
}
