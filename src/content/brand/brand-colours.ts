import { clampChroma, formatHex, oklch, wcagContrast } from 'culori';
import type { Brand } from '../schemas/brand-schema.ts';
import { type ColourToken, type ColourTokens, DESIGN_COLOURS } from '#shared/design-tokens.ts';
import { CONTRAST_PAIRS, TEXT_CONTRAST } from './contrast-pairs.ts';

export type Scheme = 'light' | 'dark';

/** Makes a site's colours: the design's, except for an agency's `deep` and `sun` and those derived from them. */
export function makeBrandColours({ brand }: Pick<Brand, 'brand'>): ColourTokens {
  const derived = deriveColours(brand);
  return {
    brand: override(DESIGN_COLOURS.brand, derived.brand, brand),
    light: override(DESIGN_COLOURS.light, derived.light),
    dark: override(DESIGN_COLOURS.dark, derived.dark),
  };
}

function override<Values extends object>(design: Values, ...others: { [N in keyof Values]?: Values[N] | undefined }[]) {
  return Object.assign({}, design, ...others) as Values;
}

/** Returns every token of a scheme, with references to other tokens resolved. */
export function resolveColours(colours: ColourTokens, scheme: Scheme): Record<ColourToken, string> {
  const written = { ...colours.brand, ...colours[scheme] };
  const resolve = (value: string): string => (value in written ? resolve(written[value as ColourToken]) : value);
  return Object.fromEntries(Object.entries(written).map(([name, value]) => [name, resolve(value)])) as typeof written;
}

/** Finds tokens with too little contrast to a background, each with the background that gives the lowest contrast. */
export function findLowContrastPairs(site: ColourTokens, scheme: Scheme) {
  const colours = resolveColours(site, scheme);
  return CONTRAST_PAIRS.flatMap(({ tokens, on, min }) =>
    tokens.flatMap((token) => {
      const pairs = on.map((ground) => ({ token, ground, ratio: wcagContrast(colours[token], colours[ground]), min }));
      const lowest = pairs.toSorted((a, b) => a.ratio - b.ratio)[0]!;
      return lowest.ratio < min ? [lowest] : [];
    }),
  );
}

type Derived = { [G in keyof ColourTokens]: Partial<ColourTokens[G]> };

function deriveColours({ deep, sun }: Brand['brand']): Derived {
  const fromDeep =
    deep === undefined ? { brand: {}, light: {}, dark: {} } : deriveFromDeep(deep, sun ?? DESIGN_COLOURS.brand.sun);
  if (sun === undefined) return fromDeep;
  const onSun = pickReadable([DESIGN_COLOURS.brand['on-sun'], '#ffffff'], [sun]);
  const sunHover = pickReadable([lighten(sun, 0.05), lighten(sun, -0.05)], [onSun]);
  return {
    brand: { ...fromDeep.brand, 'on-sun': onSun, 'sun-hover': sunHover },
    light: { ...fromDeep.light, 'sun-tint': shade(sun, 0.94, 0.4), amber: shade(sun, 0.47, 0.8) },
    dark: { ...fromDeep.dark, 'sun-tint': shade(sun, 0.28, 0.25), amber: shade(sun, 0.82, 1) },
  };
}

function deriveFromDeep(deep: string, sun: string): Derived {
  const light = tintAll('light', LIGHT_NEUTRALS, deep);
  const dark = tintAll('dark', DARK_NEUTRALS, deep);
  const isPale = wcagContrast(deep, light.ink!) > wcagContrast(deep, DESIGN_COLOURS.brand['on-deep']);
  const onDeep = isPale ? light.ink! : DESIGN_COLOURS.brand['on-deep'];
  const glow = pickReadable([lighten(deep, isPale ? 0.03 : 0.07), lighten(deep, -0.07), deep], [onDeep, sun]);
  const ground = isPale ? pickReadable([lighten(deep, -0.04), deep], [onDeep, sun]) : light.ground!;
  const quiet = isPale ? light.soft! : tintAll('brand', ['on-deep-soft'], deep)['on-deep-soft']!;
  const onDeepSoft = pickReadable([quiet, onDeep], [deep, glow, ground]);
  const brand = { glow, 'on-deep': onDeep, 'on-deep-soft': onDeepSoft };
  if (!isPale) return { brand, light, dark };
  // A pale colour wouldn't work for buttons and drawings on a pale page.
  const actions = { figure: 'ink', action: 'ink', 'action-hover': 'soft', 'on-action': 'card' };
  return {
    brand: { ...brand, 'line-on-deep': '#00000038' },
    light: { ...light, ground, ...actions },
    dark: { ...dark, ground },
  };
}

/** Colours of the design that are tinted with an agency's `deep`. */
const LIGHT_NEUTRALS = ['mist', 'ink', 'soft', 'hint', 'line', 'control', 'ground'] as const;
const DARK_NEUTRALS = [
  ...(['paper', 'card', 'mist', 'soft', 'hint', 'line', 'control'] as const),
  ...(['figure', 'action', 'on-action', 'ground'] as const),
];

/** Gives colours of the design the hue of `deep`, but keeps their lightness. A grey `deep` makes greys. */
function tintAll<G extends keyof ColourTokens>(group: G, names: readonly (keyof ColourTokens[G])[], deep: string) {
  const { c: chroma, h: hue } = oklch(deep)!;
  const tint = (name: keyof ColourTokens[G]) => {
    const { l, c } = oklch(DESIGN_COLOURS[group][name as never])!;
    const tinted = { mode: 'oklch', l, c: Math.min(c, chroma), ...(hue !== undefined && { h: hue }) } as const;
    return formatHex(clampChroma(tinted, 'oklch'));
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

/** Picks the first candidate with enough contrast to all the others, or else the last. */
function pickReadable(candidates: string[], others: string[]): string {
  return (
    candidates.find((each) => others.every((other) => wcagContrast(each, other) >= TEXT_CONTRAST)) ?? candidates.at(-1)!
  );
}
