import { expect, test, vi } from 'vitest';
import { printResult, write, writeError } from './print.ts';

const HOSTILE = 'red \u001B[31m, \u009B2J, bell \u0007, deleted \u007F\r\nnext line\n';

test.each([
  ['text', 'stdout', () => write(HOSTILE)],
  ['an error', 'stderr', () => writeError(HOSTILE)],
  ['JSON', 'stdout', () => printResult({ json: true }, { name: HOSTILE }, '')],
] as const)('strips control characters from %s that a command prints', (_, stream, act) => {
  const printed = vi.spyOn(process[stream], 'write').mockReturnValue(true);
  act();
  expect(printed.mock.calls.join('')).toContain('red ');
  expect(printed.mock.calls.join('')).not.toMatch(/(?!\r?\n)\p{Cc}/u);
});

test('keeps line breaks', () => {
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  write('one\ntwo\r\n');
  expect(printed).toHaveBeenCalledWith('one\ntwo\r\n');
});
