import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '#newsletter/database/open-store.ts';
import { addVersion } from '#publishing/content-versions.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { makeFolder } from '../../test/make-folder.ts';
import { findFirstSteps } from './first-steps.tsx';

test('the first steps lead from the owner’s address to the launch check, and disappear once they are done', async () => {
  const store = await openStore({ databaseUrl: undefined, dataDir: makeFolder() });
  onTestFinished(store.close);
  const env = parseEnvironment({});
  const read = async (given = env) => {
    const steps = await findFirstSteps({ store, env: given });
    return steps.map(({ title, isDone }) => `${isDone ? '✓ ' : ''}${title}`);
  };
  const version = { files: {}, git: '', changed: '', made_by: '' };
  // As each server does when it starts for the first time.
  await store.transaction((tx) => addVersion(tx, 0, { ...version, overlay: {} }));
  expect(await read()).toEqual(['Your address', 'Your mail account', 'Your text and pictures', 'Before you launch']);
  expect(await read({ ...env, RECEIVER_OF: 'https://site.example.org' })).toEqual([
    'Your address',
    'Your mail account',
  ]);
  await store.db.insertInto('desk_people').values({ email: 'clara@example.org' }).execute();
  expect((await read())[0]).toBe('✓ Your address');
  const words = { 'home.hero.headline': { value: 'Hers', over: null } };
  await store.transaction((tx) => addVersion(tx, 1, { ...version, overlay: words }));
  expect(await read({ ...env, SMTP_URL: 'smtps://mail.example.org' })).toEqual([]);
});
