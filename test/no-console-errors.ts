import { format } from 'node:util';
import { afterEach, beforeEach } from 'vitest';

/** Fails a test in which React warns, for example of invalid nesting. */
const print = console.error;
let errors: string[] = [];

beforeEach(() => {
  errors = [];
  console.error = (...args: unknown[]) => {
    errors.push(format(...args));
    print(...args);
  };
});

afterEach(() => {
  console.error = print;
  if (errors.length > 0) throw new Error(`The console got an error:\n${errors.join('\n')}`);
});
