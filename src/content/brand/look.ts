import type { Brand } from '../schemas/brand-schema.ts';
import { makeBrandColours, resolveColours } from './brand-colours.ts';
import type { Look } from '../site-content.ts';
import { writeFontStack } from './tokens-css.ts';

/** Derives colours and font families from an agency's brand. */
export function makeLook(brand: Brand): Look {
  const colours = makeBrandColours(brand);
  return {
    light: resolveColours(colours, 'light'),
    dark: resolveColours(colours, 'dark'),
    serif: writeFontStack(brand.fonts.headings, { fallback: false }),
    sans: writeFontStack(brand.fonts.text, { fallback: false }),
    nameBesideMark: brand.nameBesideMark,
    portrait: brand.portrait,
  };
}
