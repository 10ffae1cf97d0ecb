import { Blob, Buffer as ShapingBuffer, Face, Feature, Font, shape } from 'harfbuzzjs';
import subsetFont from 'subset-font';
import type { Brand } from '#shared/brand.ts';
import { chooseFaces } from '#content/faces.ts';

/** Sizes are in pixels; `spacing` is added after each letter, in ems. `y` is the baseline of the first line. */
export type Setting = {
  use: 'headings' | 'text';
  size: number;
  spacing?: number;
  fill: string;
  x: number;
  y: number;
  lineHeight?: number;
  maxWidth?: number;
};

/**
 * Prepares the brand's faces for drawing.
 * @param letters that will be drawn, each once
 * @returns draws a text as SVG paths, so that it looks the same whatever fonts the machine has
 */
export async function textSetter(
  families: Brand['fonts'],
  letters: string,
): Promise<(text: string, setting: Setting) => string> {
  const faces = await Promise.all(
    chooseFaces(families, letters).faces.map(async ({ use, font, letters: own, axes }) => {
      const pinned = Object.fromEntries(
        Object.entries(axes).map(([axis, value]) => [axis, typeof value === 'number' ? value : 500]),
      );
      const data = await subsetFont(font, own, { targetFormat: 'sfnt', variationAxes: pinned });
      const face = new Face(new Blob(new Uint8Array(data)));
      return { use, letters: new Set(own), font: new Font(face), unitsPerEm: face.upem };
    }),
  );
  return (text, setting) => {
    const own = faces.filter(({ use }) => use === setting.use);
    const lines = linesOf(text.normalize('NFC'), (line) => setLine(line, own, setting), setting.maxWidth);
    const drawn = lines.map(
      ({ paths }, index) =>
        `<g transform="translate(${setting.x} ${setting.y + index * (setting.lineHeight ?? 0)})">${paths}</g>`,
    );
    return `<g fill="${setting.fill}">${drawn.join('')}</g>`;
  };
}

type ReadyFace = { letters: Set<string>; font: Font; unitsPerEm: number };
type Line = { paths: string; width: number };

/** Words go on the line until the next one would pass its end; a word wider than that has a line of its own. */
function linesOf(text: string, set: (line: string) => Line, maxWidth = Infinity): Line[] {
  const lines: string[] = [];
  for (const word of text.trim().split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && set(longer).width <= maxWidth) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map(set);
}

function setLine(line: string, faces: ReadyFace[], { size, spacing = 0 }: Setting): Line {
  // As in CSS: letters that are set apart are not joined.
  const features = spacing === 0 ? [] : [new Feature('liga', 0), new Feature('clig', 0)];
  let paths = '';
  let width = 0;
  for (const { text, face } of runsOf(line, faces)) {
    const scale = size / face.unitsPerEm;
    const buffer = new ShapingBuffer();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    shape(face.font, buffer, features);
    const positions = buffer.getGlyphPositions();
    for (const [index, { codepoint: glyph }] of buffer.getGlyphInfos().entries()) {
      const { xAdvance, xOffset, yOffset } = positions[index]!;
      const place = `translate(${width + xOffset * scale} ${-yOffset * scale}) scale(${scale} ${-scale})`;
      paths += `<path transform="${place}" d="${face.font.glyphToPath(glyph)}"/>`;
      width += xAdvance * scale + spacing * size;
    }
  }
  return { paths, width: width - spacing * size };
}

/** Letters in a row that the same face has; what none of them has is drawn as the first one's missing letter. */
function runsOf(line: string, faces: ReadyFace[]): { text: string; face: ReadyFace }[] {
  const runs: { text: string; face: ReadyFace }[] = [];
  for (const letter of line) {
    const face = faces.find(({ letters }) => letters.has(letter)) ?? faces[0]!;
    const last = runs.at(-1);
    if (last?.face === face) last.text += letter;
    else runs.push({ text: letter, face });
  }
  return runs;
}
