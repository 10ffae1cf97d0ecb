import { wcagContrast } from 'culori';
import type { z } from 'zod';
import { type Brand, brandSchema } from '../schemas/brand-schema.ts';
import { findLowContrastPairs, makeBrandColours, resolveColours } from './brand-colours.ts';
import { PART_CONTRAST } from './contrast-pairs.ts';
import { readFamily } from './font-families.ts';

/** The brand's schema, which also rejects fonts that aren't installed and colours with too little contrast. */
export const checkedBrandSchema = brandSchema.superRefine(checkBrand).transform(keepPhotographVisible);

function checkBrand(brand: Brand, context: z.RefinementCtx): void {
  for (const [use, id] of Object.entries(brand.fonts).filter(([, name]) => readFamily(name) === undefined)) {
    const message =
      `"${id}" is not installed. Look for its name on fontsource.org among the variable fonts, ` +
      `then run: npm install @fontsource-variable/${id}`;
    context.addIssue({ code: 'custom', path: ['fonts', use], message });
  }
  const own = Object.keys(brand.brand);
  const site = makeBrandColours(brand);
  for (const scheme of ['light', 'dark'] as const) {
    const colours = resolveColours(site, scheme);
    for (const { token, ground, ratio, min } of findLowContrastPairs(site, scheme)) {
      // The others are derived from these.
      const name = [token, ground].find((each) => own.includes(each)) ?? own[0]!;
      const pair = `"${token}" (${colours[token]}) on "${ground}" (${colours[ground]})`;
      const message = `${pair} has a contrast of ${(Math.floor(ratio * 100) / 100).toFixed(2)} in ${scheme}; it needs ${min}`;
      context.addIssue({ code: 'custom', path: ['brand', name], message });
    }
  }
}

/** The two-tone effect turns a photograph's shadows `deep` and its highlights white, so `deep` must be dark. */
function keepPhotographVisible(brand: Brand): Brand {
  const { deep } = makeBrandColours(brand).brand;
  return wcagContrast(deep, '#ffffff') < PART_CONTRAST ? { ...brand, portrait: 'natural' } : brand;
}
