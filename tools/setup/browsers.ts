/** Finds the browsers for the tests, on the machine or among Playwright's downloads. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

/** For root in a container, and for servers without QUIC; Playwright adds its own flags. */
export const CHROMIUM_FLAGS = ['--no-sandbox', '--disable-quic'];

/** @throws {Error} saying how to install one */
export function findChromium(): string {
  const programs = ['chromium', 'chromium-browser', 'google-chrome'];
  const found = findOnMachine('CHROMIUM', programs) ?? chromium.executablePath();
  if (existsSync(found)) return found;
  throw new Error('No Chromium: run npx playwright install chromium, or set CHROMIUM to the path of one');
}

/** Chromium without windows: half the CPU time for each page, but no back/forward cache. */
export function findHeadlessShell(): string {
  return findOnMachine('HEADLESS_SHELL', ['chromium-headless-shell', 'chrome-headless-shell']) ?? findChromium();
}

export function findFirefox(): string | undefined {
  return findOnMachine('FIREFOX', ['firefox-esr', 'firefox']);
}

/** @param variable of the environment, which may name one */
function findOnMachine(variable: string, programs: string[]): string | undefined {
  const which = (program: string) => spawnSync('which', [program], { encoding: 'utf8' }).stdout?.trim();
  return process.env[variable] || programs.map(which).find(Boolean);
}
