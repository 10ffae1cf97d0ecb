import { formatHex, oklch, wcagContrast } from 'culori';
import { describe, expect, test } from 'vitest';
import { brandSchema } from '#shared/brand.ts';
import { brandedTokens, checkedBrandSchema, CONTRAST_PAIRS, palette } from './brand.ts';

/** Hairlines and shadows, which carry no meaning. */
const BARE = ['line', 'line-on-deep', 'shadow'];

const DARK = 'screen and (prefers-color-scheme: dark)';
const SCHEMES = {
  light: [''],
  dark: ['', DARK],
  'light with more contrast': ['', '(prefers-contrast: more)'],
  'dark with more contrast': ['', DARK, '(prefers-contrast: more)'],
};

const design = brandedTokens(brandSchema.parse({}));

for (const [scheme, conditions] of Object.entries(SCHEMES)) {
  const tokens = palette(design, conditions);

  for (const { on, tokens: names, least } of CONTRAST_PAIRS) {
    test.each(on.flatMap((ground) => names.map((name) => [name, ground] as const)))(
      `${scheme}: %s on %s has a contrast of at least ${least}`,
      (name, ground) => expect(wcagContrast(tokens[name]!, tokens[ground]!)).toBeGreaterThanOrEqual(least),
    );
  }
}

test('every colour token is measured', () => {
  const measured = new Set([...BARE, ...CONTRAST_PAIRS.flatMap(({ on, tokens }) => [...on, ...tokens])]);
  const colours = Object.entries(palette(design, 'light')).filter(([, value]) => value.startsWith('#'));
  expect(colours.map(([name]) => name).filter((name) => !measured.has(name))).toEqual([]);
});

describe('the colours of an agency', () => {
  test('take the places of the design, each in its scheme', () => {
    const css = brandedTokens(
      brandSchema.parse({ brand: { deep: '#3B0D2C' }, light: { paper: '#ffffff' }, dark: { paper: '#000000' } }),
    );
    expect(palette(css, 'light')).toMatchObject({ deep: '#3b0d2c', figure: '#3b0d2c', paper: '#ffffff' });
    expect(palette(css, 'dark')).toMatchObject({ deep: '#3b0d2c', paper: '#000000' });
  });

  test('near the paper are refused where the design draws and fills with them', () => {
    const cream = { deep: '#f4efe3', glow: '#f4efe3', 'on-deep': '#13262b', 'on-deep-soft': '#13262b' };
    const sun = { sun: '#13262b', 'sun-hover': '#13262b', 'on-sun': '#ffffff' };
    const page = { ground: '#f4efe3' };
    const own = checkedBrandSchema.safeParse({ brand: { ...cream, ...sun }, light: page, dark: page });
    const messages = own.error!.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    expect(messages).toContainEqual(
      expect.stringMatching(
        /^brand\.deep: "figure" \(#f4efe3\) on "\S+" \(#\w{6}\) has a contrast of 1\.\d\d in light/,
      ),
    );
  });

  test('that follow from its own two are made from them', () => {
    const own = palette(brandedTokens(brandSchema.parse({ brand: { deep: '#3b0d2c', sun: '#7fd1ff' } })), 'light');
    const before = palette(design, 'light');
    for (const token of ['glow', 'sun-hover', 'sun-tint', 'amber']) expect(own[token]).not.toBe(before[token]);
    expect(checkedBrandSchema.safeParse({ brand: { deep: '#3b0d2c', sun: '#7fd1ff' } }).success).toBe(true);
  });

  test('tint the soft ground of a section in both schemes, so that no green of the design is left', () => {
    const own = brandedTokens(brandSchema.parse({ brand: { deep: '#2b1a4f' } }));
    for (const scheme of ['light', 'dark'] as const) {
      const { mist } = palette(own, scheme);
      expect(mist).not.toBe(palette(design, scheme).mist);
      expect(Math.abs(oklch(mist)!.h! - oklch('#2b1a4f')!.h!)).toBeLessThan(8);
    }
    const chosen = brandSchema.parse({ brand: { deep: '#2b1a4f' }, light: { mist: '#eeeeee' } });
    expect(palette(brandedTokens(chosen), 'light').mist).toBe('#eeeeee');
  });

  test.each([0, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 330])(
    'that follow from a deep and a sun of the hue %s can be read on each other',
    (h) => {
      const deep = formatHex({ mode: 'oklch', l: 0.28, c: 0.08, h });
      const sun = formatHex({ mode: 'oklch', l: 0.82, c: 0.1, h });
      const own = brandedTokens(brandSchema.parse({ brand: { deep, sun } }));
      for (const scheme of ['light', 'dark'] as const) {
        const tokens = palette(own, scheme);
        for (const { on, tokens: names, least } of CONTRAST_PAIRS) {
          for (const name of names)
            for (const ground of on)
              expect(wcagContrast(tokens[name]!, tokens[ground]!), `${name} on ${ground}`).toBeGreaterThanOrEqual(
                least,
              );
        }
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
    ['a ground that its own shades stand on', 'brand', 'deep', '#f0f0f0'],
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

test('a family that is not installed is refused with the command that installs it', () => {
  const [issue] = checkedBrandSchema.safeParse({ fonts: { headings: 'no-such-family' } }).error!.issues;
  expect(issue).toMatchObject({ path: ['fonts', 'headings'] });
  expect(issue!.message).toContain('npm install --save-dev @fontsource-variable/no-such-family');
});
