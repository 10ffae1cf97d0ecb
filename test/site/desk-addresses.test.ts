import { expect, onTestFinished, test } from 'vitest';
import { findPlaces } from '#owner/command/find-places.ts';
import type { Opened } from '#owner/command/with-store.ts';
import { deskApp } from '#owner/desk/desk-app.tsx';
import { parseEnvironment } from '#shared/environment.ts';
import { startSite } from '../running-site.ts';

/** Addresses that both have: the first page, the icon, and middleware of every address. */
const SHARED = new Set(['/', '/favicon.ico', '/*']);

test('the public server knows no address of the desk', async () => {
  const opened = { env: parseEnvironment({}) } as Opened;
  const places = findPlaces(import.meta.url);
  const { routes } = deskApp({ ...opened, places }, { token: '', onUse: () => undefined });
  const addresses = routes
    .filter(({ path }) => !SHARED.has(path))
    .map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+(\{.*\})?/g, crypto.randomUUID()) }));
  expect(addresses.length).toBeGreaterThan(20);
  const site = await startSite();
  onTestFinished(site.stop);
  for (const { method, path } of addresses) {
    const { status } = await fetch(site.url + path, { method });
    expect([method, path, status]).toEqual([method, path, 404]);
  }
});
