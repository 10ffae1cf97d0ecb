import { format } from 'node:util';
import { afterEach, beforeEach } from 'vitest';

/** Fails a test if React warns, for example about invalid nesting. */
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
  if (errors.length > 0) throw new Error(`An error was logged to the console:\n${errors.join('\n')}`);
});
