/** Finds the browsers for the tests: the machine's own, or else a Playwright download. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { fetchHeadlessShell, findFetchedShell } from './fetch-headless-shell.ts';

/** Flags that let root in a container start Chromium, and turn off QUIC; Playwright adds its own flags. */
export const CHROMIUM_FLAGS = ['--no-sandbox', '--disable-quic'];

/** @returns the path of Chromium or Chrome; undefined if there is none, or only a headless shell */
export function findChromium(): string | undefined {
  const programs = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  return findOnMachine('CHROMIUM', programs) ?? CHROME_PLACES.find(existsSync) ?? ifExists(chromium.executablePath());
}

/**
 * Headless Chromium: each page takes half the CPU time, but there is no back/forward cache.
 * @returns the path of a headless shell, or else of Chromium; fetches a shell if there is neither
 * @throws {Error} if none can be fetched, with a message that says what to do
 */
export function findHeadlessShell(): string {
  return (
    findOnMachine('HEADLESS_SHELL', ['chromium-headless-shell', 'chrome-headless-shell']) ??
    findChromium() ??
    findPlaywrightShell() ??
    findFetchedShell() ??
    fetchHeadlessShell() ??
    findPlaywrightShell()!
  );
}

export function findFirefox(): string | undefined {
  return findOnMachine('FIREFOX', ['firefox-esr', 'firefox']);
}

const { LOCALAPPDATA = '', PROGRAMFILES = '' } = process.env;

/** Where macOS and Windows keep Chrome; on Linux it is on the PATH. */
const CHROME_PLACES =
  {
    darwin: [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ],
    win32: [PROGRAMFILES, LOCALAPPDATA].map((folder) => join(folder, 'Google/Chrome/Application/chrome.exe')),
  }[process.platform as string] ?? [];

/** Finds a program by an environment variable that may contain its path, or on the PATH. */
function findOnMachine(variable: string, programs: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const places = programs.flatMap((program) => folders.map((folder) => join(folder, program)));
  // Ubuntu's chromium-browser may be a stub that only says where to get Chromium.
  const runs = (place: string) => existsSync(place) && spawnSync(place, ['--version']).status === 0;
  return process.env[variable] || places.find(runs);
}

/** Playwright's headless shell, of the same revision as its Chromium. */
function findPlaywrightShell(): string | undefined {
  const folder = dirname(dirname(dirname(chromium.executablePath())));
  const [, revision] = /chromium-(\d+)/.exec(chromium.executablePath()) ?? [];
  const [found] = globSync(`chromium_headless_shell-${revision}/*/{chrome-headless-shell,headless_shell}{,.exe}`, {
    cwd: folder,
  });
  return found && join(folder, found);
}

function ifExists(place: string): string | undefined {
  return existsSync(place) ? place : undefined;
}
