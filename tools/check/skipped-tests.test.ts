import { expect, test } from 'vitest';
import { describeSkipped } from './skipped-tests.ts';

test('the last lines of npm test name each file with skipped tests, why, and how to have them', () => {
  const skipped = ['test/mail.test.ts', 'test/bounces.test.ts', 'test/mail.test.ts', 'test/other.test.ts'];
  const unmet = [
    { file: 'test/mail.test.ts', need: 'SpamAssassin' as const },
    { file: 'test/bounces.test.ts', need: 'IMAP server' as const },
    { file: 'test/bounces.test.ts', need: 'PostgreSQL' as const },
    { file: 'test/bounces.test.ts', need: 'PostgreSQL' as const },
    { file: 'test/left-out-by-hand.test.ts', need: 'PostgreSQL' as const },
  ];
  expect(describeSkipped(skipped, unmet)).toEqual([
    'test/bounces.test.ts: 1 skipped: no IMAP server (apt-get install dovecot-imapd); no PostgreSQL (apt-get install postgresql)',
    'test/mail.test.ts: 2 skipped: no SpamAssassin (apt-get install spamassassin)',
    'test/other.test.ts: 1 skipped: the file says why',
  ]);
});
