import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCommands, startQuietNewsletter, readStates } from '../setup/quiet-list.ts';
import { onEachStore, signUp } from '../setup/running-newsletter.ts';

const CONSENT = ['--wording', 'Yes, write to me.', '--source', 'Trade fair', '--date', '2026-03-01'];

onEachStore('people who have unsubscribed from another list', (name) => {
  test('are left out of a later import, and must confirm a sign-up', async () => {
    const { place, command } = await openCommands(name);
    const running = await startQuietNewsletter(place);
    await signUp(running.url, { email: 'here@example.org' });
    const write = (file: string, ...lines: string[]) => {
      writeFileSync(join(place.DATA_DIR, file), lines.join('\n'));
      return join(place.DATA_DIR, file);
    };
    const old = write(
      'old.csv',
      'email,status',
      'new@example.org,subscribed',
      'left@example.org,unsubscribed',
      'pending@example.org,pending',
      'bounced@example.org,bounced',
      'here@example.org,unsubscribed',
    );
    const left = { line: 3, email: 'left@example.org', why: 'status is "unsubscribed"' };
    const dry = JSON.parse((await command('import', old, ...CONSENT, '--dry-run', '--json')).output);
    expect(dry).toMatchObject({ imported: 1, 'left out': 4, keptOut: 1 });
    expect(dry.leftOut).toContainEqual(left);
    expect(dry.leftOut.at(-1)).toMatchObject({ line: 6, why: expect.stringContaining('still on this list') });
    const real = await command('import', old, ...CONSENT);
    expect(real.output).toContain('1 person has unsubscribed elsewhere and won’t be added');
    // The file was read before, so nobody is counted again.
    expect(JSON.parse((await command('import', old, ...CONSENT, '--json')).output)).toMatchObject({ keptOut: 0 });

    const later = write('later.csv', 'email', ...['left', 'pending', 'bounced'].map((who) => `${who}@example.org`));
    expect(JSON.parse((await command('import', later, ...CONSENT, '--json')).output)).toMatchObject({
      imported: 2,
      unsubscribed: 1,
    });
    expect((await command('show', 'left@example.org')).errors).toContain('They have unsubscribed');
    await signUp(running.url, { email: 'Left+again@example.org' });
    expect(await readStates(running)).toEqual([
      'bounced@example.org subscribed',
      'here@example.org subscribed',
      'Left+again@example.org pending',
      'new@example.org subscribed',
      'pending@example.org subscribed',
    ]);
  });
});
