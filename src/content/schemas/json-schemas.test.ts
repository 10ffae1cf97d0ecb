import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeJsonSchemas } from './json-schemas.ts';

test.each(Object.entries(makeJsonSchemas()))(
  '%s is what the build checks by; otherwise run npm run schemas',
  (file, schema) => {
    expect(readFileSync(new URL(`../../../content/schemas/${file}`, import.meta.url), 'utf8')).toBe(schema);
  },
);
