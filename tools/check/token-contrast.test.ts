import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contrastRatio } from './contrast.ts';

const TEXT = 4.5;
const PART = 3;

/** What stands on what, and how clear it must be. Every colour token is here, or in BARE. */
const PAIRS: { on: string[]; tokens: string[]; least: number }[] = [
  { on: ['paper', 'card', 'mist', 'sun-tint'], tokens: ['ink', 'soft', 'error'], least: TEXT },
  { on: ['paper', 'card', 'mist'], tokens: ['amber'], least: TEXT },
  { on: ['card'], tokens: ['hint'], least: TEXT },
  { on: ['paper', 'card', 'mist', 'sun-tint'], tokens: ['control', 'figure', 'focus', 'action'], least: PART },
  { on: ['action', 'action-hover'], tokens: ['on-action'], least: TEXT },
  { on: ['sun', 'sun-hover'], tokens: ['on-sun'], least: TEXT },
  { on: ['deep', 'glow', 'ground'], tokens: ['on-deep', 'on-deep-soft', 'sun'], least: TEXT },
];

/** Hairlines and shadows, which carry no meaning. */
const BARE = ['line', 'line-on-deep', 'shadow'];

const SCHEMES = {
  light: [''],
  dark: ['', 'screen and (prefers-color-scheme: dark)'],
  'light with more contrast': ['', '(prefers-contrast: more)'],
  'dark with more contrast': ['', 'screen and (prefers-color-scheme: dark)', '(prefers-contrast: more)'],
};

for (const [scheme, conditions] of Object.entries(SCHEMES)) {
  const tokens = tokensOf(conditions);

  for (const { on, tokens: names, least } of PAIRS) {
    test.each(on.flatMap((ground) => names.map((name) => [name, ground] as const)))(
      `${scheme}: %s on %s has a contrast of at least ${least}`,
      (name, ground) => {
        expect(contrastRatio(valueOf(tokens, name), valueOf(tokens, ground))).toBeGreaterThanOrEqual(least);
      },
    );
  }
}

test('every colour token is measured', () => {
  const measured = new Set([...BARE, ...PAIRS.flatMap(({ on, tokens }) => [...on, ...tokens])]);
  const colours = [...tokensOf([''])].filter(([, value]) => /^#|^var\(/.test(value)).map(([name]) => name);
  expect(colours.filter((name) => !measured.has(name))).toEqual([]);
});

/** @param conditions of the media queries that apply; '' is what stands outside of them */
function tokensOf(conditions: string[]): Map<string, string> {
  const source = readFileSync(new URL('../../src/site/styles/tokens.css', import.meta.url), 'utf8');
  const rules = [...source.matchAll(/(?:@media ([^{]+?)\s*\{\s*)?:root \{([^}]*)\}/g)];
  const tokens = new Map<string, string>();
  for (const [, condition = '', body = ''] of rules) {
    if (!conditions.includes(condition)) continue;
    for (const [, name, value] of body.matchAll(/--([\w-]+): ([^;]+);/g)) tokens.set(name!, value!);
  }
  return tokens;
}

function valueOf(tokens: Map<string, string>, name: string): string {
  const value = tokens.get(name) ?? `no token ${name}`;
  const other = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
  return other === undefined ? value : valueOf(tokens, other);
}
