import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { explainFailure } from './explain-failure.ts';

const systemError = (code: string, path: string) =>
  Object.assign(new Error(`${code}: failed, mkdir '${path}'`), { code, path });

test('names a folder that belongs to another user, and the command that changes its owner', () => {
  const command = `sudo chown -R ${userInfo().username} /srv/dist`;
  expect(explainFailure(systemError('EACCES', '/srv/dist'))).toBe(
    `/srv/dist: this user has no permission to use it. Change its owner: ${command}`,
  );
});

test('explains a full disk, even if the bundler reports it', () => {
  const sentence = 'The disk is full. Free some space, and build again.';
  expect(explainFailure(systemError('ENOSPC', '/srv/dist'))).toBe(sentence);
  expect(explainFailure(new Error('Build failed\nCaused by:\n  No space left on device (os error 28)'))).toBe(sentence);
});

test('doesn’t explain a bug in the build, whose stack trace is needed', () => {
  expect(explainFailure(new TypeError('x is not a function'))).toBeUndefined();
});
