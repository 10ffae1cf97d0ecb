import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { PUBLIC_SITE, PUBLIC_URL } from '../../built-sites.ts';
import {
  freshStore,
  onEachStore,
  openPlace,
  signUp,
  startNewsletter,
  startWithSmtp,
  waitUntil,
} from '../setup/running-newsletter.ts';
import { readDeliveries } from '../setup/run-queue.ts';
import { holdMails, startSmtp } from '../setup/smtp-server.ts';
import { takeStoreAway } from '../setup/take-store-away.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

onEachStore('the queue', (name) => {
  test('records an email that was accepted while the store was unavailable, and doesn’t send it again', async () => {
    const { smtp, running } = await startWithSmtp(name);
    let bringBack: (() => Promise<void>) | undefined;
    smtp.beforeAccepting = async () => {
      bringBack ??= await takeStoreAway(running.place);
    };
    await signUp(running.url);
    await waitUntil(() => expect(running.log.join('\n')).toContain('the store cannot be used'));
    await bringBack?.();
    await waitUntil(async () =>
      expect(await running.deliveries()).toMatchObject([{ state: 'sent', attempts: 1, lease_until: null }]),
    );
    expect(smtp.mails).toHaveLength(1);
  });
});

/** `npm start` with the tests' site, in its own process group, as under a service manager or a shell. */
async function startStarter(variables: Record<string, string>) {
  const starter = spawn(process.execPath, [join(ROOT, 'tools/run.mjs'), 'dist/server/main.js'], {
    env: {
      PATH: process.env.PATH,
      OUT_DIR: PUBLIC_SITE,
      PORT: '0',
      // This is two addresses, and the server must stop listening on both.
      HOST: 'localhost',
      SITE_URL: PUBLIC_URL,
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const { pid = 0 } = starter;
  const exited = once(starter, 'exit');
  onTestFinished(() => {
    if (starter.exitCode === null) process.kill(-pid, 'SIGKILL');
  });
  const url = await new Promise<string>((resolve, reject) => {
    starter.on('exit', () => reject(new Error('it ended before it listened')));
    createInterface({ input: starter.stdout }).on('line', (line) => {
      const address = /^Site: +(\S+)$/.exec(line)?.[1];
      if (address) resolve(address);
    });
  });
  return { url, pid, group: -pid, exited };
}

test('waits for a slow mail server when it is stopped together with its starter', async () => {
  const smtp = await startSmtp();
  const holding = holdMails(smtp);
  const place = await freshStore();
  const { url, group, exited } = await startStarter({ ...place, SMTP_URL: smtp.url });
  await signUp(url);
  await holding.atMail;
  process.kill(group, 'SIGTERM');
  // Some service managers send the signal twice.
  process.kill(group, 'SIGTERM');
  setTimeout(holding.accept, 300);
  expect(await exited).toEqual([0, null]);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  expect(await readDeliveries(await openPlace(place))).toMatchObject([{ state: 'sent', attempts: 1 }]);
  expect(smtp.mails).toHaveLength(1);
});

test('doesn’t start a second server on the same folder', async () => {
  const first = await startNewsletter();
  await expect(startNewsletter(first.place)).rejects.toThrow(/^DATA_DIR: another server is already using /);
  expect((await signUp(first.url)).status).toBe(200);
  await first.stop();
  await startNewsletter(first.place);
});
