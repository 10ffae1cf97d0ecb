import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderUpdateMail } from '#mail/templates/update-mail.tsx';
import { parseUpdate } from '#content/parse-update.ts';
import { isUnmet } from '../machine-needs.ts';
import { content } from '../test-content.ts';
import { queueForAll } from './queue-for-all.ts';
import { type RunningNewsletter, signUp, startNewsletter, waitUntil } from './running-newsletter.ts';
import { seedSubscribers } from './seed-subscribers.ts';

const isMissing = isUnmet('SpamAssassin', spawnSync('spamassassin', ['--version']).status !== 0);

/** The points that spamassassin's local rules give the one mail in an outbox. */
async function measureScore({ env }: RunningNewsletter): Promise<number> {
  const outbox = join(env.DATA_DIR, 'outbox');
  await waitUntil(() => expect(readdirSync(outbox)).toEqual([expect.stringMatching(/\.eml$/)]));
  const mail = readFileSync(join(outbox, readdirSync(outbox)[0] ?? ''));
  const { stdout } = spawnSync('spamassassin', ['--local', '--test-mode'], { input: mail, encoding: 'utf8' });
  return Number(/score=(-?[\d.]+)/.exec(stdout)?.[1]);
}

const SOURCE = `---
subject: Pay in 2026
preview: What we saw
---
Base pay **stood still**. [The notes](https://www.larkfield.example/notes) say how we counted.
`;

const SITE_URL = 'https://www.larkfield.example';

test.skipIf(isMissing).each([
  ['the welcome mail', {}],
  ['the confirmation mail', { DOUBLE_OPT_IN: 'true' }],
])('%s has at most half a point of spam', async (_, variables: Record<string, string>) => {
  const running = await startNewsletter({ SITE_URL, ...variables });
  await signUp(running.url, {}, { Origin: SITE_URL });
  expect(await measureScore(running)).toBeLessThanOrEqual(0.5);
});

test.skipIf(isMissing)('an update has at most half a point of spam', async () => {
  const running = await startNewsletter({ SITE_URL });
  await seedSubscribers(running.store, 1);
  const { update } = parseUpdate(SOURCE, { fill: (value) => value, isPublicFile: () => true });
  if (update === undefined) throw new Error('the update has a mistake');
  await queueForAll(running.store, { template: renderUpdateMail(update, content.agency) });
  expect(await measureScore(running)).toBeLessThanOrEqual(0.5);
});
