import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '#newsletter/database/open-store.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { makeFolder } from '../../test/make-folder.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { describeNextStep, findFirstSteps, noteLaunchCheck } from './first-steps.tsx';

test('lists the first steps, from the owner’s address to the launch check, until that finds nothing', async () => {
  const store = await openStore({ databaseUrl: undefined, dataDir: makeFolder() });
  onTestFinished(store.close);
  const env = parseEnvironment({});
  const read = async (given = env) => {
    const steps = await findFirstSteps({ store, env: given });
    return steps.map(({ title, isDone }) => `${isDone ? '✓ ' : ''}${title}`);
  };
  expect(await read()).toEqual(['Your address', 'Your mail account', 'Your text and pictures', 'Before you launch']);
  expect(await read({ ...env, RECEIVER_OF: 'https://site.example.org' })).toEqual([
    'Your address',
    'Your mail account',
  ]);
  await store.db.insertInto('desk_people').values({ email: 'clara@example.org' }).execute();
  expect((await read())[0]).toBe('✓ Your address');
  const withMail = { ...env, SMTP_URL: 'smtps://mail.example.org' };
  await noteLaunchCheck(store, { text: 3, all: 4 });
  expect(await read(withMail)).toEqual([
    '✓ Your address',
    '✓ Your mail account',
    'Your text and pictures',
    'Before you launch',
  ]);
  await noteLaunchCheck(store, { text: 0, all: 1 });
  const next = describeNextStep(await findFirstSteps({ store, env: withMail }));
  expect(renderToStaticMarkup(next)).toBe('Next step: <a href="/desk/website/launch">Before you launch</a>');
  await noteLaunchCheck(store, { text: 0, all: 0 });
  expect(await read(withMail)).toEqual([]);
});
