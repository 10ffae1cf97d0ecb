import { expect, test } from 'vitest';
import { readOutage } from '#newsletter/deliveries/smtp/mail-outage.ts';
import { NO_ENCRYPTION, UNTRUSTED_CERTIFICATE } from '#newsletter/deliveries/smtp/smtp-url.ts';
import { queueForAll } from '../setup/queue-for-all.ts';
import { waitUntil } from '../setup/running-newsletter.ts';
import { openFreshStore, runQueue } from '../setup/run-queue.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';
import { CERTIFICATE, startSmtp, startTlsSmtp } from '../setup/smtp-server.ts';

const STARTTLS = 'smtp://user:secret@127.0.0.1:PORT?requireTLS=true';
const TLS = 'smtps://user:secret@127.0.0.1:PORT';

test.each([
  ['offers no encryption', { disabledCommands: ['STARTTLS'] }, STARTTLS, NO_ENCRYPTION],
  ['has an untrusted certificate', CERTIFICATE, STARTTLS, UNTRUSTED_CERTIFICATE],
  ['has an untrusted certificate with implicit TLS', { ...CERTIFICATE, secure: true }, TLS, UNTRUSTED_CERTIFICATE],
])('sends neither password nor email to a mail server that %s', async (_, options, smtpUrl, reason) => {
  const logins: unknown[] = [];
  const port = await startTlsSmtp({
    ...options,
    allowInsecureAuth: true,
    onAuth: ({ username }, __, done) => {
      logins.push(username);
      done(null, { user: username });
    },
  });
  const store = await openFreshStore();
  await seedSubscribers(store, 2);
  await queueForAll(store);
  const running = await runQueue(store, smtpUrl.replace('PORT', String(port)));
  await waitUntil(() => expect(running.log.join('\n')).toContain(reason));
  await running.stop();
  expect((await readOutage(store.db))?.reason).toContain(reason);
  const deliveries = await store.db.selectFrom('deliveries').select(['state', 'attempts']).distinct().execute();
  expect(deliveries).toEqual([{ state: 'waiting', attempts: 0 }]);
  expect(logins).toEqual([]);
});

test('quotes a mail server whose encryption fails, and sends it no password', async () => {
  const smtp = await startSmtp();
  smtp.extension = 'STARTTLS';
  const steps: string[] = [];
  smtp.behave = (step) => void steps.push(step);
  const store = await openFreshStore();
  await seedSubscribers(store, 1);
  await queueForAll(store);
  const running = await runQueue(store, smtp.url);
  const reason =
    'the mail server rejects every connection for now (454 4.7.0 TLS not available due to temporary reason)';
  await waitUntil(() => expect(running.log.join('\n')).toContain(reason));
  expect(steps).toEqual(['greeting', 'EHLO', 'STARTTLS']);
});
