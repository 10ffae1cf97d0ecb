import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { z } from 'zod';
import { brandSchema } from './brand-schema.ts';
import { agencySchema } from './agency-schema.ts';
import { consentSchema, faqSchema, homeSchema, mailsSchema } from './content-schema.ts';
import { pagesSchema } from './pages-schema.ts';

const TAGS = [
  { id: 'a', category: 'statistics', kind: 'ga4', provider: 'A', purpose: 'Counts', measurementId: 'G-ABC123' },
  {
    id: 'b',
    category: 'marketing',
    kind: 'script',
    provider: 'B',
    purpose: 'Sells',
    src: 'https://b.test/b.js',
    hosts: ['https://c.test'],
    cookies: [{ name: 'b', duration: 'One day' }],
  },
];

/** Values that an owner might write into a field by mistake. */
const WRONG = ['', 'x', 7, true, null, [], ['x'], {}, { x: 'x' }, Array.from({ length: 9 }, () => 'x')];

/** Issues with zod's own messages: a form can't send such values. */
const ZODS_OWN = new Set(['invalid_type', 'invalid_value', 'unrecognized_keys']);

test.each<[string, z.ZodType, object]>([
  ['agency', agencySchema, { tags: TAGS, verification: { google: 'abcdefgh' }, telephone: '+44 131 496 0000' }],
  ['brand', brandSchema, { nameBesideMark: true, brand: { deep: '#123456' } }],
  ['home', homeSchema, {}],
  ['faq', faqSchema, {}],
  ['consent', consentSchema, {}],
  ['mail', mailsSchema, {}],
  ['pages', pagesSchema, {}],
])('reports any wrong value in a field of %s.yaml with our own message', (name, schema, more) => {
  const source = readFileSync(new URL(`../../../test/content/${name}.yaml`, import.meta.url), 'utf8');
  const content = { ...parse(source), ...more };
  for (const path of pathsIn(content)) {
    for (const wrong of WRONG) {
      const { error } = schema.safeParse(changed(content, path, wrong));
      const own = error?.issues.filter(({ code }) => !ZODS_OWN.has(code)) ?? [];
      for (const { message } of own) expect(message).toMatch(/^(expected|nothing is written) /);
    }
  }
});

function pathsIn(value: unknown, path: string[] = []): string[][] {
  const inner = value !== null && typeof value === 'object' ? Object.entries(value) : [];
  return [...(path.length > 0 ? [path] : []), ...inner.flatMap(([key, each]) => pathsIn(each, [...path, key]))];
}

function changed(content: object, path: string[], to: unknown): unknown {
  const copy = structuredClone(content) as Record<string, never>;
  const parent = path.slice(0, -1).reduce((at, key) => at[key]!, copy);
  Object.assign(parent, { [path.at(-1)!]: to });
  return copy;
}
