import { wcagContrast } from 'culori';
import type { z } from 'zod';
import { type Brand, brandSchema } from '#shared/brand.ts';
import type { ColourToken } from '#shared/tokens.ts';
import {
  makeBrandColours,
  type ClosePair,
  findClosePairs,
  listShades,
  resolveColours,
  type Scheme,
} from './brand-colours.ts';
import { readFamily } from './fonts.ts';

/**
 * The brand's schema, which also refuses families that are not installed, and pairs of colours that are too close,
 * naming the nearest that is not.
 */
export const checkedBrandSchema = brandSchema.superRefine(checkBrand).transform(keepPhotographVisible);

function checkBrand(brand: Brand, context: z.RefinementCtx): void {
  for (const [use, id] of Object.entries(brand.fonts).filter(([, name]) => readFamily(name) === undefined)) {
    const message =
      `"${id}" is not installed. Look for its name on fontsource.org among the variable fonts, ` +
      `then run: npm install @fontsource-variable/${id}`;
    context.addIssue({ code: 'custom', path: ['fonts', use], message });
  }
  const colours = makeBrandColours(brand);
  for (const scheme of ['light', 'dark'] as const) {
    for (const pair of findClosePairs(colours, scheme)) {
      const place = pair.names.map((name) => findPath(brand, scheme, name)).find((path) => path !== undefined);
      // A pair that the owner left alone is the design's, and measured by the design's own test.
      if (place) context.addIssue({ code: 'custom', path: place, message: advise(brand, place, scheme, pair) });
    }
  }
}

/**
 * In two tones the shadows of a photograph are `deep` and its lights white: on a light `deep` nothing would be left.
 */
function keepPhotographVisible(brand: Brand): Brand {
  const { deep } = makeBrandColours(brand).brand;
  return wcagContrast(deep, '#ffffff') < MIN_TONES_APART ? { ...brand, portrait: 'natural' } : brand;
}

/** The least contrast of graphics (WCAG 2.2, criterion 1.4.11). */
const MIN_TONES_APART = 3;

type Place = [group: 'brand' | Scheme, name: ColourToken];

function findPath(brand: Brand, scheme: Scheme, name: ColourToken): Place | undefined {
  const group = (['brand', scheme] as const).find((each) => name in brand[each]);
  return group && [group, name];
}

/** @param place where the owner wrote the colour that is to change: the token's own, or that of a ground */
function advise(brand: Brand, [group, name]: Place, scheme: Scheme, { token, on, min }: ClosePair): string {
  const colours = resolveColours(makeBrandColours(brand), scheme);
  const ratio = (ground: ColourToken) => wcagContrast(colours[token], colours[ground]);
  const ground = on.toSorted((a, b) => ratio(a) - ratio(b))[0]!;
  const nearest = listShades(colours[name]).find((colour) => {
    const changed = makeBrandColours({ ...brand, [group]: { ...brand[group], [name]: colour } });
    return findClosePairs(changed, scheme).every(({ names }) => !names.includes(name));
  });
  const kind = min === 4.5 ? 'text needs' : 'it needs';
  const way = nearest
    ? `The nearest colour for "${name}" that passes is "${nearest}"`
    : `No shade of it passes: change "${name === token ? ground : token}" instead`;
  const pair = `"${token}" (${colours[token]}) on "${ground}" (${colours[ground]})`;
  return `${pair} has a contrast of ${ratio(ground).toFixed(2)} in ${scheme}, and ${kind} ${min}. ${way}`;
}
