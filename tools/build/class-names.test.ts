import { expect, test } from 'vitest';
import { refuseSharedNames } from './class-names.ts';

test('two modules whose names collide are refused, the same module twice is not', () => {
  const check = refuseSharedNames();
  check('/a.module.css', { list: 'xGcb', row: 'oSmw' });
  check('/a.module.css', { list: 'xGcb', row: 'oSmw' });
  check('/b.module.css', { list: 'TnIO' });
  expect(() => check('/c.module.css', { item: 'oSmw' })).toThrow(
    /Rename \.item in .*c\.module\.css: .*oSmw.*a\.module\.css/,
  );
});
