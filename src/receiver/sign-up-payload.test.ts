import { expect, test } from 'vitest';
import { readFormSignUp } from './sign-up-payload.ts';

test('when the store that knows older wordings cannot be asked, what was typed is kept for another try', async () => {
  const posted = new URLSearchParams({
    email: 'somebody@example.org',
    role: 'Other',
    source: 'Footer',
    consent: '0123456789ab',
  });
  const read = await readFormSignUp(posted.toString(), '', async () => {
    throw Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' });
  });
  expect(read).toMatchObject({
    outcome: 'unavailable',
    cause: { code: 'ECONNREFUSED' },
    entry: { form: 'Footer', email: 'somebody@example.org', role: 'Other', consent: true },
  });
});
