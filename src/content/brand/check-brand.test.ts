import { formatHex } from 'culori';
import { describe, expect, test } from 'vitest';
import { brandSchema } from '../schemas/brand-schema.ts';
import { MORE_CONTRAST } from '#shared/design-tokens.ts';
import { checkedBrandSchema } from './check-brand.ts';
import { findLowContrastPairs, makeBrandColours, resolveColours } from './brand-colours.ts';
import { CONTRAST_PAIRS } from './contrast-pairs.ts';

/** Hairlines and shadows, which carry no meaning. */
const BARE = ['line', 'line-on-deep', 'shadow'];

const design = makeBrandColours(brandSchema.parse({}));

test.each(['light', 'dark'] as const)('gives every colour of the design’s %s scheme enough contrast', (scheme) => {
  const moreContrast = { ...design, [scheme]: { ...design[scheme], ...MORE_CONTRAST } };
  for (const colours of [design, moreContrast]) expect(findLowContrastPairs(colours, scheme)).toEqual([]);
});

test.each([
  ['#0d3b38', 'two-tone'],
  ['#c8102e', 'two-tone'],
  ['#f4f1ea', 'natural'],
])('with the main colour %s, shows a photograph as %s', (deep, portrait) => {
  const sun = portrait === 'natural' ? '#1d3f8f' : '#ffffff';
  expect(checkedBrandSchema.parse({ brand: { deep, sun } })).toHaveProperty('portrait', portrait);
});

test('measures every colour token', () => {
  const measured = new Set<string>([...BARE, ...CONTRAST_PAIRS.flatMap(({ on, tokens }) => [...on, ...tokens])]);
  const colours = Object.keys(resolveColours(design, 'light'));
  expect(colours.filter((name) => !measured.has(name))).toEqual([]);
});

describe('an agency’s colours', () => {
  test('replace the design’s in both schemes', () => {
    const own = makeBrandColours(brandSchema.parse({ brand: { deep: '#3B0D2C' } }));
    expect(resolveColours(own, 'light')).toMatchObject({ deep: '#3b0d2c', figure: '#3b0d2c' });
    expect(resolveColours(own, 'dark')).toMatchObject({ deep: '#3b0d2c' });
  });

  test.each<[string, { deep: string; sun: string }]>([
    ['dark blue', { deep: '#12264f', sun: '#ffd166' }],
    ['red', { deep: '#a3122a', sun: '#ffe08a' }],
    ['bright red', { deep: '#c8102e', sun: '#ffffff' }],
    ['near white', { deep: '#f4f1ea', sun: '#1d3f8f' }],
    ['black', { deep: '#000000', sun: '#f5d90a' }],
    ...[0, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 330].map(describeHue),
  ])('are legible if derived from only two: %s', (_, brand) => {
    expect(checkedBrandSchema.safeParse({ brand }).error?.issues).toBeUndefined();
    const colours = makeBrandColours(brandSchema.parse({ brand }));
    expect(resolveColours(colours, 'light')).toMatchObject(brand);
    for (const scheme of ['light', 'dark'] as const) expect(findLowContrastPairs(colours, scheme)).toEqual([]);
  });

  test.each([
    ['a main colour that is too light for its own shades', { deep: '#f0f0f0' }],
    ['a main colour that makes the design’s own text hard to read', { deep: '#c0c0c0' }],
    ['an accent that is too dark for its text', { sun: '#332200' }],
  ])('stop the build if they are illegible, with a message that names the pair and its contrast: %s', (_, colours) => {
    const [name = ''] = Object.keys(colours);
    const { issues } = checkedBrandSchema.safeParse({ brand: colours }).error!;
    expect(new Set(issues.map(({ path }) => path.join('.')))).toEqual(new Set([`brand.${name}`]));
    const pair = /^"[\w-]+" \(#\w{6}\) on "[\w-]+" \(#\w{6}\) has a contrast of (\d+\.\d\d) in \w+; it needs (\d.*)$/;
    const [, ratio, min] = pair.exec(issues[0]!.message)!;
    expect(Number(ratio)).toBeLessThanOrEqual(Number(min));
  });
});

test.each(['', '../figtree', 'Fig Tree'])('rejects %j, which isn’t how fontsource.org writes a name', (headings) => {
  const { issues } = checkedBrandSchema.safeParse({ fonts: { headings } }).error!;
  expect(issues).toMatchObject([{ path: ['fonts', 'headings'] }]);
  expect(issues[0]!.message).toContain('expected a name as fontsource.org writes it');
});

test('rejects a family that isn’t installed, with the command that installs it', () => {
  const [issue] = checkedBrandSchema.safeParse({ fonts: { headings: 'no-such-family' } }).error!.issues;
  expect(issue).toMatchObject({ path: ['fonts', 'headings'] });
  expect(issue!.message).toContain('npm install @fontsource-variable/no-such-family');
});

function describeHue(hue: number): [string, { deep: string; sun: string }] {
  const deep = formatHex({ mode: 'oklch', l: 0.28, c: 0.08, h: hue });
  return [`hue ${hue}`, { deep, sun: formatHex({ mode: 'oklch', l: 0.82, c: 0.1, h: hue }) }];
}
