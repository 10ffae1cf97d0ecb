import type { Brand } from '#shared/brand.ts';
import {
  type ColourToken,
  DESIGN_COLOURS,
  HEADING_WEIGHT,
  MEASURES,
  MORE_CONTRAST,
  TYPE_SCALE,
} from '#shared/tokens.ts';
import { makeBrandColours } from './brand-colours.ts';
import { readFamily } from './fonts.ts';

/** A site's tokens as custom properties, for pages and the owner's desk. */
export function writeTokensCss(brand: Brand): string {
  const { brand: always, light, dark } = makeBrandColours(brand);
  const family = (id: string) => writeFontStack(id, { fallback: true });
  const families = { serif: family(brand.fonts.headings), sans: family(brand.fonts.text) };
  const type = { 'heading-weight': String(HEADING_WEIGHT), ...TYPE_SCALE };
  // Drawings and dots, which the browser would leave as they are or take away, get the visitor's own colours too.
  const forced = `svg,i,:before,:after{${declare(FORCED)}forced-color-adjust:preserve-parent-color}`;
  return [
    '@layer base{',
    `:root{color-scheme:light;${declare({ ...always, ...light, ...families, ...type, ...MEASURES })}}`,
    // On screens only, so that print is always light.
    `@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;${declare(dark)}}}`,
    `@media (prefers-contrast:more){:root{${declare(MORE_CONTRAST)}}}`,
    `@media (forced-colors:active){${forced}}`,
    '}',
  ].join('');
}

function declare(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => `--${name}:${Object.hasOwn(REFERENCES, value) ? `var(--${value})` : value};`)
    .join('');
}

const REFERENCES = { ...DESIGN_COLOURS.brand, ...DESIGN_COLOURS.light };

const FORCED: Partial<Record<ColourToken, string>> = {
  deep: 'Canvas',
  ground: 'Canvas',
  'on-sun': 'Canvas',
  sun: 'CanvasText',
  'on-deep': 'CanvasText',
  amber: 'CanvasText',
  figure: 'CanvasText',
};

/**
 * A family with the fonts that systems have in its place.
 * @param fallback also the face of the same metrics that the build makes, which mails lack
 */
export function writeFontStack(id: string, { fallback }: { fallback: boolean }): string {
  const { name, isSerif } = readFamily(id)!;
  const faces = [name.includes(' ') ? `'${name}'` : name, ...(fallback ? [`'${name} Fallback'`] : [])];
  return [...faces, isSerif ? 'Georgia, serif' : 'system-ui, sans-serif'].join(', ');
}
