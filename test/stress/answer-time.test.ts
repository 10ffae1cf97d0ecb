import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { STORE_FILE } from '#newsletter/database/open-store.ts';
import { startSite } from '../running-site.ts';
import { signUp } from '../newsletter/setup/running-newsletter.ts';

/** Takes four minutes. */
const PAIRS = 2000;

test(
  `response times reveal whether an address is known no better than chance, in ${PAIRS} pairs`,
  // On a busy machine the work may take more than a step now and then; without steps, new ones take longer each time.
  { timeout: 600_000, retry: 2 },
  async () => {
    // In its own process, so that the server's work after a response doesn't delay this clock.
    const site = await startSite({ env: { NOTIFY_TO: 'owner@agency.example', MAIL_HOURLY_CAP: '1000000' } });
    onTestFinished(site.stop);
    takeLongerOverNewPeople(site.dataDir);
    const time = async (email: string, client: number) => {
      const started = performance.now();
      const response = await signUp(site.url, { email }, { 'X-Test-Client': `10.0.${client >> 8}.${client & 255}` });
      await response.text();
      expect(response.status).toBe(200);
      return performance.now() - started;
    };
    await time('known@example.org', 0);
    let longer = 0;
    for (let pair = 0; pair < PAIRS; pair += 1) {
      // The order within a pair alternates, since the first request may affect the second.
      const known = () => time('known@example.org', pair);
      const fresh = () => time(`new${pair}@example.org`, pair);
      if (pair % 2 === 0) {
        const first = await known();
        if ((await fresh()) > first) longer += 1;
      } else if ((await fresh()) > (await known())) longer += 1;
    }
    // Three standard deviations of chance, in addition to the 5% that a response may reveal.
    const allowed = 0.05 + (3 * 0.5) / Math.sqrt(PAIRS);
    expect(Math.abs(longer / PAIRS - 0.5)).toBeLessThan(allowed);
    process.stdout.write(`${PAIRS} pairs: ${((longer / PAIRS) * 100).toFixed(1)}% of new ones took longer\n`);
  },
);

/**
 * Makes new people take some 7 ms longer, which a step hides. Without this, the time that a fast disk needs for their
 rows would be lost in the noise.
 */
function takeLongerOverNewPeople(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, STORE_FILE), { timeout: 10_000 });
  database.exec('create trigger slow after insert on deliveries begin select hex(randomblob(1000000)); end');
  database.close();
}
