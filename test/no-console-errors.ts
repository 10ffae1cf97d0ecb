import { format } from 'node:util';
import { afterEach, beforeEach } from 'vitest';

/** Fails a test in which React warns, for example of invalid nesting. */
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
  if (said.length > 0) throw new Error(`The console got an error:\n${said.join('\n')}`);
});
