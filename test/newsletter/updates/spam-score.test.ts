import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderUpdateMail } from '#newsletter/mails/update-mail.tsx';
import { parseUpdate } from '#content/markdown/parse-update.ts';
import { isUnmet } from '../../machine-needs.ts';
import { content } from '../../test-content.ts';
import { queueForAll } from '../setup/queue-for-all.ts';
import { type RunningNewsletter, signUp, startNewsletter, waitUntil } from '../setup/running-newsletter.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';

const isInstalled = ['/usr/bin/spamassassin', '/usr/local/bin/spamassassin'].some((path) => existsSync(path));
const isMissing = isUnmet('SpamAssassin', !isInstalled);

/** Waits for the one email in an outbox. @returns its file */
async function findMail({ env }: RunningNewsletter): Promise<string> {
  const outbox = join(env.DATA_DIR, 'outbox');
  await waitUntil(() => expect(readdirSync(outbox)).toEqual([expect.stringMatching(/\.eml$/)]));
  return join(outbox, readdirSync(outbox)[0] ?? '');
}

const SOURCE = `---
subject: Pay in 2026
preview: What we saw
---
Base pay **stood still**. [The notes](https://www.larkfield.example/notes) say how we counted.
`;

const SITE_URL = 'https://www.larkfield.example';

async function queueSignUp(variables: Record<string, string>): Promise<RunningNewsletter> {
  const running = await startNewsletter({ SITE_URL, ...variables });
  await signUp(running.url, {}, { Origin: SITE_URL });
  return running;
}

test.skipIf(isMissing)('welcome, confirmation and update have at most half a point of spam each', async () => {
  const welcome = await queueSignUp({});
  const confirmation = await queueSignUp({ DOUBLE_OPT_IN: 'true' });
  const sending = await startNewsletter({ SITE_URL });
  await seedSubscribers(sending.store, 1);
  const { update } = parseUpdate(SOURCE, { fill: (value) => value, isPublicFile: () => true });
  if (update === undefined) throw new Error('the update has a mistake');
  await queueForAll(sending.store, { template: renderUpdateMail(update, content, new Map()) });
  const files = await Promise.all([welcome, confirmation, sending].map(findMail));
  // One run for all, since its start takes seconds.
  const { stdout } = spawnSync('spamassassin', ['--local', '--test-mode', ...files], { encoding: 'utf8' });
  const scores = [...stdout.matchAll(/^X-Spam-Status:.*score=(-?[\d.]+)/gm)].map(([, score]) => Number(score));
  expect(scores).toHaveLength(3);
  for (const score of scores) expect(score).toBeLessThanOrEqual(0.5);
});
