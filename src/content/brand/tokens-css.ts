import type { Brand } from '../schemas/brand-schema.ts';
import {
  type ColourToken,
  DESIGN_COLOURS,
  HEADING_WEIGHT,
  MEASURES,
  MORE_CONTRAST,
  TYPE_SCALE,
} from '#shared/design-tokens.ts';
import { makeBrandColours } from './brand-colours.ts';
import { readFamily } from './font-families.ts';

/** Writes a site's tokens as custom properties, for pages and the owner's desk. */
export function writeTokensCss(brand: Brand): string {
  const { brand: always, light, dark } = makeBrandColours(brand);
  const family = (id: string) => writeFontStack(id, { fallback: true });
  const families = { serif: family(brand.fonts.headings), sans: family(brand.fonts.text) };
  const type = { 'heading-weight': String(HEADING_WEIGHT), ...TYPE_SCALE };
  // With forced colours, browsers leave drawings as they are and hide dots, so both get the visitor's colours here.
  const forced = `svg,i,:before,:after{${declare(FORCED)}forced-color-adjust:preserve-parent-color}`;
  return [
    '@layer base{',
    `:root{color-scheme:light;${declare({ ...always, ...light, ...families, ...type, ...MEASURES })}}`,
    // Only on screens, so that print is always light.
    `@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;${declare(dark)}}}`,
    `@media (prefers-contrast:more){:root{${declare(MORE_CONTRAST)}}}`,
    `@media (forced-colors:active){${forced}}`,
    '}',
  ]
    .join('')
    .replaceAll(', ', ',');
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
 * Writes a font family with system fonts as its fallback.
 * @param fallback whether to include the build's fallback with the same metrics, which emails don't have
 */
export function writeFontStack(id: string, { fallback }: { fallback: boolean }): string {
  const { name, isSerif } = readFamily(id)!;
  const faces = [name.includes(' ') ? `'${name}'` : name, ...(fallback ? [`'${name} Fallback'`] : [])];
  return [...faces, isSerif ? 'Georgia, serif' : 'system-ui, sans-serif'].join(', ');
}
