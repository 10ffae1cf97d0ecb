import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { explainFailure } from './explain-failure.ts';

const systemError = (code: string, path: string) =>
  Object.assign(new Error(`${code}: failed, mkdir '${path}'`), { code, path });

test('a folder of another user is named, with the command that gives it', () => {
  const command = `sudo chown -R ${userInfo().username} /srv/dist`;
  expect(explainFailure(systemError('EACCES', '/srv/dist'))).toBe(
    `/srv/dist: this user may not use it. Give it to them: ${command}`,
  );
});

test('a full disk is named, also by the bundler', () => {
  const sentence = 'The disk is full. Make room, and build again.';
  expect(explainFailure(systemError('ENOSPC', '/srv/dist'))).toBe(sentence);
  expect(explainFailure(new Error('Build failed\nCaused by:\n  No space left on device (os error 28)'))).toBe(sentence);
});

test('a fault of the build keeps its stack', () => {
  expect(explainFailure(new TypeError('x is not a function'))).toBeUndefined();
});
