import { formatHex, oklch, wcagContrast } from 'culori';
import { describe, expect, test, vi } from 'vitest';
import { brandSchema } from '#shared/brand.ts';
import { checkedBrandSchema } from './brand.ts';
import { makeBrandColours, CONTRAST_PAIRS, findClosePairs, resolveColours } from './brand-colours.ts';

// Each colour that passes is searched for, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

/** Hairlines and shadows, which carry no meaning. */
const BARE = ['line', 'line-on-deep', 'shadow'];

const design = makeBrandColours(brandSchema.parse({}));

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  describe.each([false, true])('with more contrast asked for: %s', (moreContrast) => {
    const colours = resolveColours(design, scheme, { moreContrast });
    const cases = CONTRAST_PAIRS.flatMap(({ on, tokens, min }) =>
      on.flatMap((ground) => tokens.map((token) => [token, ground, min] as const)),
    );

    test.each(cases)('%s on %s has a contrast of at least %d', (token, ground, min) =>
      expect(wcagContrast(colours[token], colours[ground])).toBeGreaterThanOrEqual(min),
    );
  });
});

test('every colour token is measured', () => {
  const measured = new Set<string>([...BARE, ...CONTRAST_PAIRS.flatMap(({ on, tokens }) => [...on, ...tokens])]);
  const colours = Object.keys(resolveColours(design, 'light'));
  expect(colours.filter((name) => !measured.has(name))).toEqual([]);
});

describe('the colours of an agency', () => {
  test('take the places of the design, each in its scheme', () => {
    const own = makeBrandColours(
      brandSchema.parse({ brand: { deep: '#3B0D2C' }, light: { paper: '#ffffff' }, dark: { paper: '#000000' } }),
    );
    expect(resolveColours(own, 'light')).toMatchObject({ deep: '#3b0d2c', figure: '#3b0d2c', paper: '#ffffff' });
    expect(resolveColours(own, 'dark')).toMatchObject({ deep: '#3b0d2c', paper: '#000000' });
  });

  test.each([
    ['dark blue', { deep: '#12264f', sun: '#ffd166' }],
    ['red', { deep: '#a3122a', sun: '#ffe08a' }],
    ['bright red', { deep: '#c8102e', sun: '#ffffff' }],
    ['near white', { deep: '#f4f1ea', sun: '#1d3f8f' }],
    ['black', { deep: '#000000', sun: '#f5d90a' }],
  ])('are enough as two: %s', (_, brand) => {
    expect(checkedBrandSchema.safeParse({ brand }).error?.issues).toBeUndefined();
    const colours = makeBrandColours(brandSchema.parse({ brand }));
    expect(resolveColours(colours, 'light')).toMatchObject(brand);
    for (const scheme of ['light', 'dark'] as const)
      expect(findClosePairs(resolveColours(colours, scheme))).toEqual([]);
  });

  test('give the dark scheme its surfaces, each with the lightness of the design', () => {
    const own = resolveColours(makeBrandColours(brandSchema.parse({ brand: { deep: '#12264f' } })), 'dark');
    const before = resolveColours(design, 'dark');
    for (const token of ['paper', 'card', 'mist', 'ground', 'line'] as const) {
      expect(Math.abs(oklch(own[token])!.h! - oklch('#12264f')!.h!)).toBeLessThan(8);
      expect(oklch(own[token])!.l).toBeCloseTo(oklch(before[token])!.l, 2);
    }
    const chosen = brandSchema.parse({ brand: { deep: '#12264f' }, dark: { paper: '#111111' } });
    expect(resolveColours(makeBrandColours(chosen), 'dark').paper).toBe('#111111');
  });

  test('near the paper are refused where the owner fills buttons with them', () => {
    const own = checkedBrandSchema.safeParse({ light: { action: '#f4efe3', 'action-hover': '#f4efe3' } });
    const messages = own.error!.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    expect(messages).toContainEqual(
      expect.stringMatching(
        /^light\.action: "action" \(#f4efe3\) on "\S+" \(#\w{6}\) has a contrast of 1\.\d\d in light/,
      ),
    );
  });

  test('that follow from its own two are made from them', () => {
    const own = resolveColours(
      makeBrandColours(brandSchema.parse({ brand: { deep: '#3b0d2c', sun: '#7fd1ff' } })),
      'light',
    );
    const before = resolveColours(design, 'light');
    for (const token of ['glow', 'sun-hover', 'sun-tint', 'amber'] as const) expect(own[token]).not.toBe(before[token]);
    expect(checkedBrandSchema.safeParse({ brand: { deep: '#3b0d2c', sun: '#7fd1ff' } }).success).toBe(true);
  });

  test('tint the soft ground of a section in both schemes, so that no green of the design is left', () => {
    const own = makeBrandColours(brandSchema.parse({ brand: { deep: '#2b1a4f' } }));
    for (const scheme of ['light', 'dark'] as const) {
      const { mist } = resolveColours(own, scheme);
      expect(mist).not.toBe(resolveColours(design, scheme).mist);
      expect(Math.abs(oklch(mist)!.h! - oklch('#2b1a4f')!.h!)).toBeLessThan(8);
    }
    const chosen = brandSchema.parse({ brand: { deep: '#2b1a4f' }, light: { mist: '#eeeeee' } });
    expect(resolveColours(makeBrandColours(chosen), 'light').mist).toBe('#eeeeee');
  });

  test.each([0, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 330])(
    'that follow from a deep and a sun of the hue %s can be read on each other',
    (h) => {
      const deep = formatHex({ mode: 'oklch', l: 0.28, c: 0.08, h });
      const sun = formatHex({ mode: 'oklch', l: 0.82, c: 0.1, h });
      const own = makeBrandColours(brandSchema.parse({ brand: { deep, sun } }));
      for (const scheme of ['light', 'dark'] as const) {
        const tokens = resolveColours(own, scheme);
        expect(findClosePairs(tokens)).toEqual([]);
      }
    },
  );

  test.each([
    ['text on the page', { light: { soft: '#999999' } }, ['light', 'soft']],
    ['text in the dark', { dark: { ink: '#444444' } }, ['dark', 'ink']],
    ['a ground that makes the design’s own text hard to read', { brand: { deep: '#c0c0c0' } }, ['brand', 'deep']],
    ['the border of a field', { light: { control: '#eeeeee' } }, ['light', 'control']],
  ])('stop the build when they cannot be read: %s', (_, brand, path) => {
    const [issue] = checkedBrandSchema.safeParse(brand).error!.issues;
    expect(issue!.path).toEqual(path);
    expect(issue!.message).toMatch(
      /"[\w-]+" \(#\w{6}\) on "[\w-]+" \(#\w{6}\) has a contrast of \d+\.\d\d in \w+, and/,
    );
  });

  test.each([
    ['a text', 'light', 'soft', '#999999'],
    ['a text by a hair', 'light', 'soft', '#656c6b'],
    ['a text in the dark', 'dark', 'ink', '#444444'],
    ['a ground for its own shades', 'brand', 'deep', '#f0f0f0'],
    ['a ground that keeps its text', 'brand', 'sun', '#332200'],
    ['the page', 'light', 'paper', '#888888'],
  ])('and the one colour that is proposed passes: %s', (_, group, name, colour) => {
    const [issue, ...others] = checkedBrandSchema.safeParse({ [group]: { [name]: colour } }).error!.issues;
    const proposed = /The nearest colour for "([\w-]+)" that passes is "(#\w{6})"$/.exec(issue!.message)!;
    expect(proposed[1]).toBe(name);
    expect(others.every(({ message }) => message.endsWith(proposed[0]))).toBe(true);
    expect(checkedBrandSchema.safeParse({ [group]: { [name]: proposed[2] } }).error?.issues).toBeUndefined();
  });
});

test.each(['', '../figtree', 'Fig Tree'])('a family called %j is asked for as fontsource.org writes it', (headings) => {
  const { issues } = checkedBrandSchema.safeParse({ fonts: { headings } }).error!;
  expect(issues).toMatchObject([{ path: ['fonts', 'headings'] }]);
  expect(issues[0]!.message).toContain('expected a name as fontsource.org writes it');
});

test('a family that is not installed is refused with the command that installs it', () => {
  const [issue] = checkedBrandSchema.safeParse({ fonts: { headings: 'no-such-family' } }).error!.issues;
  expect(issue).toMatchObject({ path: ['fonts', 'headings'] });
  expect(issue!.message).toContain('npm install --save-dev @fontsource-variable/no-such-family');
});
