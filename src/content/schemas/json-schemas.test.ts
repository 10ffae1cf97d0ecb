import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { writeJsonSchemas } from './json-schemas.ts';

const root = join(import.meta.dirname, '../../..');

test.each(['content', 'test/content'])('writes the schema that each YAML file of %s names', (content) => {
  const folder = makeFolder();
  writeJsonSchemas(folder);
  const files = readdirSync(join(root, content)).filter((file) => file.endsWith('.yaml'));
  expect(files.map((file) => file.replace('yaml', 'json'))).toEqual(readdirSync(folder).toSorted());
  for (const file of files) {
    const [, schema] = /^# yaml-language-server: \$schema=(.+)\n/.exec(
      readFileSync(join(root, content, file), 'utf8'),
    )!;
    expect(join(content, schema!)).toBe(`content/schemas/${file.replace('yaml', 'json')}`);
  }
});
