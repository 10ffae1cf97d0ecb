import { readFileSync } from 'node:fs';
import { makeBrandColours, resolveColours } from '#content/brand/brand-colours.ts';
import { findPicture, MARK_FILES, type Mark, toMark } from '#content/pictures/picture-files.ts';
import type { Brand } from '#content/schemas/brand-schema.ts';
import type { Content } from '#content/schemas/content-schema.ts';
import { makeIconMark } from './icon-marks.ts';
import { type ColourToken, DESIGN_COLOURS } from '#shared/design-tokens.ts';

/** The paths of the design's drawings. */
export type Drawings = { favicon: string; mark: string; portrait: string };

/** The colours in these drawings that correspond to tokens. */
const COLOURS = {
  favicon: { deep: '#0d3b38', sun: '#f6b24a' },
  mark: { deep: '#0d3b38', sun: '#f6b24a', 'on-deep': '#cfdad5', 'on-deep-soft': '#7f9a97' },
  portrait: { deep: '#0d3b38', sun: '#e2a544', 'on-deep': '#f3f1ea' },
};

/** Renders one of the design's drawings, in the agency's colours if it has its own. */
export function recolourDrawing(name: keyof Drawings, brand: Brand, drawings: Drawings): string {
  const own = resolveColours(makeBrandColours(brand), 'light');
  const design = resolveColours(DESIGN_COLOURS, 'light');
  return Object.entries(COLOURS[name])
    .filter(([token]) => own[token as ColourToken] !== design[token as ColourToken])
    .reduce(
      (drawing, [token, colour]) => drawing.replaceAll(colour, own[token as ColourToken]),
      readFileSync(drawings[name], 'utf8'),
    );
}

/**
 * Reads the mark, the agency's own or the design's, in four versions: unchanged, for large icons, for a browser's tab,
 * and for emails, next to the name. For a tab, the design has a simpler drawing; for emails, its mark is cropped.
 */
export async function readMarks(
  contentFolder: string,
  { agency, brand }: Pick<Content, 'agency' | 'brand'>,
  drawings: Drawings,
): Promise<{ mark: Mark; icon: Mark; favicon: Mark; mailMark: Mark }> {
  const path = findPicture(contentFolder, MARK_FILES);
  if (path !== undefined) {
    const mark = await toMark(readFileSync(path), path.endsWith('.svg'));
    const icon = await makeIconMark(mark, agency.name, brand);
    return { mark, icon, favicon: icon, mailMark: mark };
  }
  const drawing = recolourDrawing('mark', brand, drawings);
  const close = drawing.replace('viewBox="0 0 32 32"', 'viewBox="5 5.5 22 22"');
  const favicon = recolourDrawing('favicon', brand, drawings);
  const [mark, mailMark, tab] = await Promise.all(
    [drawing, close, favicon].map((each) => toMark(Buffer.from(each), true)),
  );
  return { mark: mark!, icon: mark!, favicon: tab!, mailMark: mailMark! };
}
