import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { content } from '../../test/test-content.ts';
import type { FormResult } from './desk-types.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { addLaunch } from './launch.tsx';

test.each(['http://www.example.org', 'https://no address'])('rejects %s as the live site', async (address) => {
  const results = new Map<string, FormResult>();
  const app = new Hono();
  const places = { project: '/nowhere' };
  const shown = { name: 'build', folder: '/nowhere', misfits: [], number: 0 };
  addLaunch(app, { places, env: parseEnvironment({}), results, shown, content, jobs: new Map() });
  await app.request('/desk/website/launch', { method: 'POST', body: new URLSearchParams({ address }) });
  const [result] = results.values();
  expect(result?.error?.message).toBe('Expected an address that begins with https://, such as https://www.example.org');
});
