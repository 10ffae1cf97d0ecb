import { afterEach, beforeEach, expect } from 'vitest';

/** What React warns of, as an attribute without a value or tags in a wrong order, fails the test that brought it up. */
const print = console.error;
let said: unknown[][] = [];

beforeEach(() => {
  said = [];
  console.error = (...words: unknown[]) => {
    said.push(words);
    print(...words);
  };
});

afterEach(() => {
  console.error = print;
  expect(said).toEqual([]);
});
