import { expect, test, vi } from 'vitest';
import { log } from './log.ts';

test('keeps escape sequences and line breaks in a server’s reply from the terminal', () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  log('sheet: \u001b]0;title\u0007\u009b2Jgone\r\nRetention: all erased');
  const line = String(write.mock.calls.at(-1)![0]);
  expect(line).toMatch(/^\S+ sheet: {2}\]0;title {2}2Jgone {2}Retention: all erased\n$/);
});
