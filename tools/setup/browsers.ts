/** Finds the browsers for the tests: the machine's own, else one of Playwright's downloads. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { fetchHeadlessShell, findFetchedShell } from './fetch-headless-shell.ts';

/** For root in a container, and for servers without QUIC; Playwright adds its own flags. */
export const CHROMIUM_FLAGS = ['--no-sandbox', '--disable-quic'];

/** @returns the path of Chromium or Chrome; undefined if there is none, or only a headless shell */
export function findChromium(): string | undefined {
  const programs = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  return findOnMachine('CHROMIUM', programs) ?? CHROME_PLACES.find(existsSync) ?? ifThere(chromium.executablePath());
}

/**
 * Chromium without windows: half the CPU time for each page, but no back/forward cache.
 * @returns the path of one, else of Chromium; fetches one if there is neither
 * @throws {Error} saying what to do if none can be fetched
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

/** Where macOS and Windows keep Chrome; on Linux it is a program on the path. */
const CHROME_PLACES =
  {
    darwin: [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ],
    win32: [PROGRAMFILES, LOCALAPPDATA].map((folder) => join(folder, 'Google/Chrome/Application/chrome.exe')),
  }[process.platform as string] ?? [];

/** @param variable of the environment, which may name one */
function findOnMachine(variable: string, programs: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const places = programs.flatMap((program) => folders.map((folder) => join(folder, program)));
  // Ubuntu has a chromium-browser that only says where to get one.
  const runs = (place: string) => existsSync(place) && spawnSync(place, ['--version']).status === 0;
  return process.env[variable] || places.find(runs);
}

/** The headless shell beside Playwright's Chromium, of the same revision. */
function findPlaywrightShell(): string | undefined {
  const folder = dirname(dirname(dirname(chromium.executablePath())));
  const [, revision] = /chromium-(\d+)/.exec(chromium.executablePath()) ?? [];
  const [found] = globSync(`chromium_headless_shell-${revision}/*/{chrome-headless-shell,headless_shell}{,.exe}`, {
    cwd: folder,
  });
  return found && join(folder, found);
}

function ifThere(place: string): string | undefined {
  return existsSync(place) ? place : undefined;
}
