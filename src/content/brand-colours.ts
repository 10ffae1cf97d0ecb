import { clampChroma, formatHex, oklch, wcagContrast } from 'culori';
import type { Brand } from '#shared/brand.ts';
import { type ColourToken, type ColourTokens, DESIGN_COLOURS } from '#shared/tokens.ts';

const TEXT = 4.5;
const PART = 3;

type ContrastPair = { on: ColourToken[]; tokens: ColourToken[]; min: number };

/** Which colour is on which in the design, and how far apart the two must be (WCAG 2.2, criteria 1.4.3 and 1.4.11). */
export const CONTRAST_PAIRS: ContrastPair[] = [
  { on: ['paper', 'card', 'mist', 'sun-tint'], tokens: ['ink', 'soft', 'error'], min: TEXT },
  { on: ['paper', 'card', 'mist'], tokens: ['amber'], min: TEXT },
  { on: ['card'], tokens: ['hint'], min: TEXT },
  { on: ['paper', 'card', 'mist', 'sun-tint'], tokens: ['control', 'figure', 'focus', 'action'], min: PART },
  { on: ['action', 'action-hover'], tokens: ['on-action'], min: TEXT },
  { on: ['sun', 'sun-hover'], tokens: ['on-sun'], min: TEXT },
  { on: ['deep', 'glow', 'ground'], tokens: ['on-deep', 'on-deep-soft', 'sun'], min: TEXT },
];

export type Scheme = 'light' | 'dark';

/** The design's colours, replaced by those that follow from an agency's `deep` and `sun`, and then by its own. */
export function makeBrandColours({ brand, light, dark }: Brand): ColourTokens {
  const derived = deriveColours(brand);
  const colours: ColourTokens = {
    brand: override(DESIGN_COLOURS.brand, derived.brand, brand),
    light: override(DESIGN_COLOURS.light, derived.light, light),
    dark: override(DESIGN_COLOURS.dark, derived.dark, dark),
  };
  for (const [group, own] of Object.entries({ brand, light, dark })) {
    const names = Object.keys(derived[group as Group]).filter((name) => !(name in own));
    for (const name of names) makeReadable(colours, group as Group, name as ColourToken);
  }
  return colours;
}

type Group = keyof ColourTokens;

function override<Values extends object>(design: Values, ...others: { [N in keyof Values]?: Values[N] | undefined }[]) {
  return Object.assign({}, design, ...others) as Values;
}

/** Every token of a scheme; one that refers to another has that one's colour. */
export function resolveColours(colours: ColourTokens, scheme: Scheme): Record<ColourToken, string> {
  const written = { ...colours.brand, ...colours[scheme] };
  const resolve = (value: string): string => (isToken(value, written) ? resolve(written[value]) : value);
  return Object.fromEntries(Object.entries(written).map(([name, value]) => [name, resolve(value)])) as typeof written;
}

/** @returns a token's name, and the names of those that its colour comes from */
function followReferences(colours: ColourTokens, scheme: Scheme, name: ColourToken): ColourToken[] {
  const written = { ...colours.brand, ...colours[scheme] };
  const other = written[name];
  return isToken(other, written) ? [name, ...followReferences(colours, scheme, other)] : [name];
}

function isToken<Name extends string>(value: string, tokens: Record<Name, string>): value is Name {
  return value in tokens;
}

/** @property names of every token that the colour of the pair's token or of a ground comes from */
export type ClosePair = { token: ColourToken; on: ColourToken[]; min: number; names: ColourToken[] };

/** Finds tokens that are too close to one of the grounds they are used on, with all their grounds. */
export function findClosePairs(site: ColourTokens, scheme: Scheme): ClosePair[] {
  const colours = resolveColours(site, scheme);
  return CONTRAST_PAIRS.flatMap(({ tokens, on, min }) =>
    tokens
      .filter((token) => on.some((ground) => wcagContrast(colours[token], colours[ground]) < min))
      .map((token) => ({
        token,
        on,
        min,
        names: [token, ...on].flatMap((name) => followReferences(site, scheme, name)),
      })),
  );
}

/** Lists shades of the same hue, the least changed first. */
export function listShades(colour: string): string[] {
  const { l } = oklch(colour)!;
  const steps = Array.from({ length: 100 }, (_, index) => (index + 1) / 100);
  return steps
    .flatMap((step) => [l - step, l + step])
    .filter((lightness) => lightness >= 0 && lightness <= 1)
    .map((lightness) => shade(colour, lightness, 1));
}

type Derived = { [G in Group]: Partial<ColourTokens[G]> };

/** Derives the colours that an owner need not choose from the two that she does. */
function deriveColours(own: Brand['brand']): Derived {
  const { deep, sun } = own;
  const ofDeep = deep === undefined ? NOTHING : isPale(deep) ? followPaleDeep(own, deep) : followDeep(own, deep);
  if (sun === undefined) return ofDeep;
  const onSun = own['on-sun'] ?? pickReadable([DESIGN_COLOURS.brand['on-sun'], '#ffffff'], [sun]);
  return {
    brand: {
      ...ofDeep.brand,
      'on-sun': onSun,
      'sun-hover': pickReadable([lighten(sun, 0.05), lighten(sun, -0.05)], [onSun]),
    },
    light: { ...ofDeep.light, 'sun-tint': shade(sun, 0.94, 0.4), amber: shade(sun, 0.47, 0.8) },
    dark: { ...ofDeep.dark, 'sun-tint': shade(sun, 0.28, 0.25), amber: shade(sun, 0.82, 1) },
  };
}

const NOTHING: Derived = { brand: {}, light: {}, dark: {} };

/** Whether dark text is easier to read on it than light text. */
function isPale(deep: string): boolean {
  const { 'on-sun': darkText, 'on-deep': lightText } = DESIGN_COLOURS.brand;
  return wcagContrast(deep, darkText) > wcagContrast(deep, lightText);
}

function followDeep(own: Brand['brand'], deep: string): Derived {
  const { 'on-deep': onDeep, sun } = override(DESIGN_COLOURS.brand, own);
  return {
    brand: {
      glow: pickReadable([lighten(deep, 0.07), lighten(deep, -0.07), deep], [onDeep, sun]),
      ...tintAll('brand', ['on-deep-soft'], deep),
    },
    light: tintAll('light', LIGHT_NEUTRALS, deep),
    dark: tintAll('dark', DARK_NEUTRALS, deep),
  };
}

/** A pale ground has dark text, and cannot be the colour of buttons and drawings on a pale page. */
function followPaleDeep(own: Brand['brand'], deep: string): Derived {
  const { light, dark, brand } = followDeep(own, deep);
  const sun = own.sun ?? DESIGN_COLOURS.brand.sun;
  const onDeep = own['on-deep'] ?? light.ink!;
  const ground = pickReadable([lighten(deep, -0.04), deep], [onDeep, sun]);
  const glow = pickReadable([lighten(deep, 0.03), deep], [onDeep, sun]);
  return {
    brand: { ...brand, glow, 'on-deep': onDeep, 'on-deep-soft': light.soft!, 'line-on-deep': '#00000038' },
    light: { ...light, ground, figure: 'ink', action: 'ink', 'action-hover': 'soft', 'on-action': 'card' },
    dark: { ...dark, ground },
  };
}

/** Colours of the design that have a little of its `deep` in them. */
const LIGHT_NEUTRALS = ['mist', 'ink', 'soft', 'hint', 'line', 'control', 'ground'] as const;
const DARK_NEUTRALS = [
  ...(['paper', 'card', 'mist', 'soft', 'hint', 'line', 'control'] as const),
  ...(['figure', 'action', 'on-action', 'ground'] as const),
];

/** The design's lightness with the hue of a colour, and no more of it than the design has; a grey stays one. */
function tintAll<G extends Group>(group: G, names: readonly (keyof ColourTokens[G])[], deep: string) {
  const { c: chroma, h: hue } = oklch(deep)!;
  const tint = (name: keyof ColourTokens[G]) => {
    const { l, c } = oklch(DESIGN_COLOURS[group][name as never])!;
    return formatHex(
      clampChroma({ mode: 'oklch', l, c: Math.min(c, chroma), ...(hue !== undefined && { h: hue }) }, 'oklch'),
    );
  };
  return Object.fromEntries(names.map((name) => [name, tint(name)])) as Partial<ColourTokens[G]>;
}

function shade(colour: string, lightness: number, chroma: number): string {
  const { c, ...rest } = oklch(colour)!;
  return formatHex(clampChroma({ ...rest, l: lightness, c: c * chroma }, 'oklch'));
}

function lighten(colour: string, by: number): string {
  return shade(colour, Math.min(Math.max(oklch(colour)!.l + by, 0), 1), 1);
}

/** The first of these that text in all the other colours can be read on, or else the last. */
function pickReadable(candidates: string[], others: string[]): string {
  return candidates.find((each) => others.every((other) => wcagContrast(each, other) >= TEXT)) ?? candidates.at(-1)!;
}

/** Replaces a token that cannot be read on its grounds by its nearest shade that can. */
function makeReadable(colours: ColourTokens, group: Group, name: ColourToken): void {
  const schemes = group === 'brand' ? (['light', 'dark'] as const) : [group];
  const passes = (colour: string) => {
    const changed = { ...colours, [group]: { ...colours[group], [name]: colour } };
    return schemes.every((scheme) => findClosePairs(changed, scheme).every(({ token }) => token !== name));
  };
  const values = colours[group] as Record<string, string>;
  if (passes(values[name]!)) return;
  const written = resolveColours(colours, schemes[0])[name];
  values[name] = listShades(written).find(passes) ?? values[name]!;
}
