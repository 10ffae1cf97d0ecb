import { expect, test } from 'vitest';
import { describeSkipped } from './skipped-tests.ts';

test('the last lines of npm test name each file with skipped tests, why, and how to have them', () => {
  const unmet = [
    { file: 'test/mail.test.ts', need: 'SpamAssassin' as const },
    { file: 'test/bounces.test.ts', need: 'IMAP server' as const },
    { file: 'test/bounces.test.ts', need: 'PostgreSQL' as const },
    { file: 'test/bounces.test.ts', need: 'PostgreSQL' as const },
  ];
  expect(describeSkipped(unmet)).toEqual([
    'test/bounces.test.ts: no IMAP server (apt-get install dovecot-imapd), no PostgreSQL (apt-get install postgresql)',
    'test/mail.test.ts: no SpamAssassin (apt-get install spamassassin)',
  ]);
});
