import type { Hono } from 'hono';
import { expect, test } from 'vitest';
import { findPlaces } from '#server/find-places.ts';
import type { Opened } from '#newsletter/open-list.ts';
import { createDeskApp } from '#desk/desk-app.tsx';
import { parseEnvironment } from '#settings/environment.ts';
import { openSiteFiles } from '#server/site-files.ts';
import { TEST_SITE } from '../built-sites.ts';
import { startNewsletter } from '../newsletter/setup/running-newsletter.ts';

/** Paths that both have: the first page, the icon, and middleware of every path. */
const SHARED = new Set(['/', '/favicon.ico', '/*']);

test('the public server has no path of the desk', async () => {
  const addresses = listUrlPaths(openDesk()).filter(({ path }) => !SHARED.has(path));
  expect(addresses.length).toBeGreaterThan(20);
  const site = await startNewsletter({}, 'SQLite', await openSiteFiles(TEST_SITE));
  for (const { method, path } of addresses) {
    const { status } = await fetch(site.url + path, { method });
    expect([method, path, status]).toEqual([method, path, 404]);
  }
});

test('every page and file of the desk needs its cookie', async () => {
  const desk = openDesk();
  const addresses = listUrlPaths(desk).filter(({ method }) => method === 'GET');
  expect(addresses.length).toBeGreaterThan(10);
  for (const { path } of addresses) {
    const { status, headers } = await desk.request(`http://127.0.0.1:4300${path}`, {
      headers: { Host: '127.0.0.1:4300' },
    });
    expect([path, status, headers.get('X-Frame-Options')]).toEqual([path, 403, 'DENY']);
  }
});

function openDesk(): Hono {
  const opened = { env: parseEnvironment({}) } as Opened;
  const places = findPlaces(import.meta.url);
  const shown = { name: 'build', folder: TEST_SITE, misfits: [], number: 0 };
  return createDeskApp({ ...opened, places, shown }, { token: 'printed-token', onUse: () => undefined });
}

function listUrlPaths({ routes }: Hono): { method: string; path: string }[] {
  return routes.map(({ method, path }) => ({
    method,
    path: path.replaceAll(/:\w+(\{.*\})?/g, crypto.randomUUID()),
  }));
}
