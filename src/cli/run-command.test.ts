import { expect, test } from 'vitest';
import { readPort } from './run-command.ts';

test('accepts only whole numbers up to 65535 as ports', () => {
  expect(readPort('65535')).toBe(65_535);
  for (const text of ['65536', '99999', 'desk', '-1', '43.5', '']) {
    expect(() => readPort(text)).toThrow('Expected a port: a whole number up to 65535');
  }
});
