import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { content } from '../../test/test-content.ts';
import type { Answer, Desk } from './desk-types.ts';
import { addLaunch } from './launch.tsx';

test.each(['http://www.example.org', 'https://no address'])('%s is refused as the live site', async (address) => {
  const answers = new Map<string, Answer>();
  const app = new Hono();
  addLaunch(app, { places: { project: '/nowhere' }, env: {}, content, answers } as unknown as Desk);
  await app.request('/website/launch', { method: 'POST', body: new URLSearchParams({ address }) });
  const [answer] = answers.values();
  expect(answer?.mistake?.message).toBe(
    'Expected an address that begins with https://, such as https://www.example.org',
  );
});
