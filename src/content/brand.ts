import { readFileSync } from 'node:fs';
import { clampChroma, formatHex, oklch, type Oklch, wcagContrast } from 'culori';
import { type Brand, brandSchema } from '#shared/brand.ts';
import { familyOf } from './faces.ts';

const TEXT = 4.5;
const PART = 3;

/** Which colour is on which in the design, and how far apart the two must be (WCAG 2.2, criteria 1.4.3 and 1.4.11). */
export const CONTRAST_PAIRS: { on: string[]; tokens: string[]; least: number }[] = [
  { on: ['paper', 'card', 'mist', 'sun-tint'], tokens: ['ink', 'soft', 'error'], least: TEXT },
  { on: ['paper', 'card', 'mist'], tokens: ['amber'], least: TEXT },
  { on: ['card'], tokens: ['hint'], least: TEXT },
  { on: ['paper', 'card', 'mist', 'sun-tint'], tokens: ['control', 'figure', 'focus', 'action'], least: PART },
  { on: ['action', 'action-hover'], tokens: ['on-action'], least: TEXT },
  { on: ['sun', 'sun-hover'], tokens: ['on-sun'], least: TEXT },
  { on: ['deep', 'glow', 'ground'], tokens: ['on-deep', 'on-deep-soft', 'sun'], least: TEXT },
];

const DARK = 'screen and (prefers-color-scheme: dark)';
const SCHEMES = { light: [''], dark: ['', DARK] };

/**
 * The brand's schema, which also refuses families that are not installed, and pairs of colours that are too close,
 * naming the nearest that is not.
 */
export const checkedBrandSchema = brandSchema.superRefine((brand, context) => {
  for (const [use, id] of Object.entries(brand.fonts).filter(([, name]) => familyOf(name) === undefined)) {
    const message =
      `"${id}" is not installed. Look for its name on fontsource.org among the variable fonts, ` +
      `then run: npm install --save-dev @fontsource-variable/${id}`;
    context.addIssue({ code: 'custom', path: ['fonts', use], message });
  }
  const css = brandedTokens(brand);
  for (const scheme of ['light', 'dark'] as const) {
    for (const { token, on, least } of tooClose(palette(css, scheme))) {
      const names = [token, ...on].flatMap((name) => followReferences(css, scheme, name));
      const place = names.map((name) => pathOf(brand, scheme, name)).find((path) => path !== undefined);
      // A pair that the owner left alone is the design's, and measured by the design's own test.
      if (place)
        context.addIssue({ code: 'custom', path: place, message: advice(brand, place, { scheme, token, on, least }) });
    }
  }
});

/**
 * The design's tokens with the owner's values in their places.
 * @returns the text of src/shared/tokens.css, otherwise unchanged
 */
export function brandedTokens(brand: Brand): string {
  const source = readFileSync(new URL('../shared/tokens.css', import.meta.url), 'utf8');
  const { brand: always, light, dark } = completed(brand);
  const fonts = { serif: fontStack(brand.fonts.headings), sans: fontStack(brand.fonts.text) };
  return source.replace(ROOT_RULE, (rule, condition = '') => {
    const values: Record<string, string | undefined> =
      condition === DARK ? dark : condition === '' ? { ...always, ...fonts, ...light } : {};
    return rule.replace(DECLARATION, (line: string, name: string) =>
      values[name] === undefined ? line : `--${name}: ${values[name]};`,
    );
  });
}

type Scheme = keyof typeof SCHEMES | string[];

/** Every token of a scheme, with what refers to another in that one's value. */
export function palette(css: string, scheme: Scheme): Record<string, string> {
  const tokens = readTokens(css, scheme);
  const valueOf = (value: string): string => {
    const other = findReference(value);
    return other === undefined ? value : valueOf(tokens[other] ?? '');
  };
  return Object.fromEntries(Object.entries(tokens).map(([name, value]) => [name, valueOf(value)]));
}

/** A token's name, and the names of those that its value comes from. */
function followReferences(css: string, scheme: Scheme, name: string): string[] {
  const other = findReference(readTokens(css, scheme)[name] ?? '');
  return other === undefined ? [name] : [name, ...followReferences(css, scheme, other)];
}

/** Every token of a scheme as written. */
function readTokens(css: string, scheme: Scheme): Record<string, string> {
  const conditions = typeof scheme === 'string' ? SCHEMES[scheme] : scheme;
  const rules = [...css.matchAll(ROOT_RULE)].filter(([, condition = '']) => conditions.includes(condition));
  return Object.fromEntries(
    rules.flatMap(([rule]) => [...rule.matchAll(DECLARATION)].map(([, name, value]) => [name!, value!])),
  );
}

function findReference(value: string): string | undefined {
  return /^var\(--([\w-]+)\)$/.exec(value)?.[1];
}

const ROOT_RULE = /(?:@media ([^{]+?)\s*\{\s*)?:root \{[^}]*\}/g;
const DECLARATION = /--([\w-]+): ([^;]+);/g;

/** Of a family that is installed, with the fallback that the build makes for it. */
function fontStack(id: string): string | undefined {
  const family = familyOf(id);
  if (family === undefined) return undefined;
  const { name, isSerif } = family;
  const quoted = name.includes(' ') ? `'${name}'` : name;
  return `${quoted}, '${name} Fallback', ${isSerif ? 'Georgia, serif' : 'system-ui, sans-serif'}`;
}

/** An owner who names the two colours of the brand need not know the seven that follow from them. */
function completed({ brand, light, dark }: Brand): Pick<Brand, 'brand' | 'light' | 'dark'> {
  const { deep, sun } = brand;
  const ofDeep = (lightness: number, chroma: number) => tint(deep!, lightness, chroma);
  const ofSun = (lightness: number, share: number) => shade(sun!, lightness, share);
  return {
    brand: {
      ...(deep && { glow: shade(deep, Math.min(oklch(deep)!.l + 0.07, 1), 1) }),
      ...(sun && { 'sun-hover': shade(sun, Math.min(oklch(sun)!.l + 0.05, 1), 1) }),
      ...brand,
    },
    light: {
      ...(deep && { mist: ofDeep(0.95, 0.01) }),
      ...(sun && { 'sun-tint': ofSun(0.94, 0.4), amber: ofSun(0.47, 0.8) }),
      ...light,
    },
    dark: {
      ...(deep && { mist: ofDeep(0.247, 0.022) }),
      ...(sun && { 'sun-tint': ofSun(0.28, 0.25), amber: ofSun(0.82, 1) }),
      ...dark,
    },
  };
}

function shade(colour: string, lightness: number, chroma: number): string {
  const { c, ...rest } = oklch(colour)!;
  return formatHex(clampChroma({ ...rest, l: lightness, c: c * chroma }, 'oklch'));
}

/** The hue of a colour, with no more of it than a soft ground has; a grey stays one. */
function tint(colour: string, lightness: number, chroma: number): string {
  const { c, ...rest } = oklch(colour)!;
  return formatHex(clampChroma({ ...rest, l: lightness, c: Math.min(c, chroma) }, 'oklch'));
}

type Pair = { token: string; on: string[]; least: number };

/** A token with all the grounds that it stands on, where one of them is too close. */
function tooClose(tokens: Record<string, string>): Pair[] {
  return CONTRAST_PAIRS.flatMap(({ tokens: names, on, least }) =>
    names
      .filter((token) => on.some((ground) => wcagContrast(tokens[token]!, tokens[ground]!) < least))
      .map((token) => ({ token, on, least })),
  );
}

type ColourGroup = 'brand' | 'light' | 'dark';

function pathOf(brand: Brand, scheme: 'light' | 'dark', name: string): [ColourGroup, string] | undefined {
  const group = (['brand', scheme] as const).find((each) => name in brand[each]);
  return group && [group, name];
}

/** @param place where the owner wrote the colour that is to change: the token's own, or that of a ground */
function advice(
  brand: Brand,
  place: [group: ColourGroup, name: string],
  { scheme, token, on, least }: Pair & { scheme: 'light' | 'dark' },
): string {
  const tokens = palette(brandedTokens(brand), scheme);
  const ratio = (ground: string) => wcagContrast(tokens[token]!, tokens[ground]!);
  const ground = on.toSorted((a, b) => ratio(a) - ratio(b))[0]!;
  const [group, name] = place;
  const nearest = shadesOf(tokens[name]!).find((colour) => {
    const css = brandedTokens({ ...brand, [group]: { ...brand[group], [name]: colour } });
    return !tooClose(palette(css, scheme)).some((pair) =>
      [pair.token, ...pair.on].some((each) => followReferences(css, scheme, each).includes(name)),
    );
  });
  const kind = least === TEXT ? 'text needs' : 'it needs';
  const way = nearest
    ? `The nearest colour for "${name}" that passes is "${nearest}"`
    : `No shade of it passes: change "${name === token ? ground : token}" instead`;
  const pair = `"${token}" (${tokens[token]}) on "${ground}" (${tokens[ground]})`;
  return `${pair} has a contrast of ${ratio(ground).toFixed(2)} in ${scheme}, and ${kind} ${least}. ${way}`;
}

/** The same hue, the least changed first. */
function shadesOf(colour: string): string[] {
  const { l, ...rest } = oklch(colour)! satisfies Oklch;
  const steps = Array.from({ length: 200 }, (_, index) => (index + 1) / 200);
  return steps
    .flatMap((step) => [l - step, l + step])
    .filter((lightness) => lightness >= 0 && lightness <= 1)
    .map((lightness) => formatHex(clampChroma({ ...rest, l: lightness }, 'oklch')));
}
