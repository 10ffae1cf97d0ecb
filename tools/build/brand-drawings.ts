import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makeBrandColours, resolveColours } from '#content/brand-colours.ts';
import { findPicture, MARK_FILES, type Mark, toMark } from '#content/pictures.ts';
import type { Brand } from '#shared/brand.ts';
import { type ColourToken, DESIGN_COLOURS } from '#shared/tokens.ts';

/** The design's drawings, with the colours in them that follow tokens. */
const DRAWINGS = {
  mark: {
    file: new URL('../../public/favicon.svg', import.meta.url),
    colours: { deep: '#0d3b38', sun: '#f6b24a', 'on-deep': '#cfdad5', 'on-deep-soft': '#7f9a97' },
  },
  portrait: {
    file: new URL('../../src/site/home/portrait.svg', import.meta.url),
    colours: { deep: '#0d3b38', sun: '#e2a544', 'on-deep': '#f3f1ea' },
  },
};

/** Draws one of the design's drawings, in an agency's colours where it has any. */
export function drawInBrand(name: keyof typeof DRAWINGS, brand: Brand): string {
  const { file, colours } = DRAWINGS[name];
  const own = resolveColours(makeBrandColours(brand), 'light');
  const design = resolveColours(DESIGN_COLOURS, 'light');
  return Object.entries(colours)
    .filter(([token]) => own[token as ColourToken] !== design[token as ColourToken])
    .reduce(
      (drawing, [token, colour]) => drawing.replaceAll(colour, own[token as ColourToken]),
      readFileSync(fileURLToPath(file), 'utf8'),
    );
}

/**
 * Reads the agency's mark or the design's: as icons show it, and as mails show it beside the name, where the design's
 * has no room around it.
 */
export async function readMarks(contentFolder: string, brand: Brand): Promise<{ mark: Mark; mailMark: Mark }> {
  const path = findPicture(contentFolder, MARK_FILES);
  if (path !== undefined) {
    const mark = await toMark(readFileSync(path), path.endsWith('.svg'));
    return { mark, mailMark: mark };
  }
  const drawing = drawInBrand('mark', brand);
  const close = drawing.replace('viewBox="0 0 32 32"', 'viewBox="5 5.5 22 22"');
  return { mark: await toMark(Buffer.from(drawing), true), mailMark: await toMark(Buffer.from(close), true) };
}
