import { format } from 'node:util';
import { afterEach, beforeEach } from 'vitest';

/** What React warns of, as an attribute without a value or tags in a wrong order, fails the test that brought it up. */
const print = console.error;
let said: string[] = [];

beforeEach(() => {
  said = [];
  console.error = (...words: unknown[]) => {
    said.push(format(...words));
    print(...words);
  };
});

afterEach(() => {
  console.error = print;
  if (said.length > 0) throw new Error(`The console was told of an error:\n${said.join('\n')}`);
});
