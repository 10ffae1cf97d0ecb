import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '#newsletter/database/open-store.ts';
import { makeFolder } from '../../test/make-folder.ts';
import { content } from '../../test/test-content.ts';
import type { FormResult } from './desk-types.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { addLaunch } from './launch.tsx';

test.each(['http://www.example.org', 'https://no address'])('rejects %s as the live site', async (address) => {
  const store = await openStore({ databaseUrl: undefined, dataDir: makeFolder() });
  onTestFinished(store.close);
  const results = new Map<string, FormResult>();
  const app = new Hono();
  addLaunch(app, {
    store,
    results,
    content,
    secret: '',
    places: { updates: '/nowhere' },
    env: parseEnvironment({}),
    log: () => undefined,
    shown: { name: 'build', folder: '/nowhere', misfits: [], number: 0 },
    jobs: new Map(),
  });
  await app.request('/desk/website/launch', { method: 'POST', body: new URLSearchParams({ address }) });
  const [result] = results.values();
  expect(result?.error?.message).toBe('Expected an address that begins with https://, such as https://www.example.org');
});
