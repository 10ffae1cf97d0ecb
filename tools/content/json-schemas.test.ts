import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { jsonSchemas } from './json-schemas.ts';

const content = (file: string) => readFileSync(new URL(`../../content/${file}`, import.meta.url), 'utf8');

test.each(Object.entries(jsonSchemas()))(
  '%s is what the build checks by; otherwise run npm run schemas',
  (file, schema) => {
    expect(content(`schemas/${file}`)).toBe(schema);
  },
);

test.each(Object.keys(jsonSchemas()))('an editor finds %s from the file that it is for', (file) => {
  const yaml = content(file.replace('.json', '.yaml'));
  expect(yaml.split('\n')[0]).toBe(`# yaml-language-server: $schema=./schemas/${file}`);
});
