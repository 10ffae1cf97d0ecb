/** What stands in the bar: words as they are shown, and the mark's width in CSS pixels. */
type Bar = { markWidth: number; name?: string; call: string; menu: string };

/**
 * Whether mark and name, in two lines at most, leave room for menu and call beside them on a phone of 360 pixels.
 * Fonts differ, so widths are those of an average letter, measured in the design's and in wider families.
 */
export function fitsTheBar({ markWidth, name, call, menu }: Bar): boolean {
  const room = ROOM - CALL_LETTER * (call.length + menu.length);
  if (name === undefined) return markWidth <= room;
  const lineLength = Math.floor((room - GAP - markWidth) / NAME_LETTER);
  const words = name.split(/\s+/);
  return words.every(({ length }) => length <= lineLength) && linesOf(words, lineLength) <= 2;
}

/** In CSS pixels: the bar without its gutters and gaps, and without the padding of menu and call. */
const ROOM = 236;
const GAP = 7;
const CALL_LETTER = 8.2;
const NAME_LETTER = 9;

function linesOf(words: string[], lineLength: number): number {
  let [lines, length] = [0, Infinity];
  for (const word of words) {
    length += 1 + word.length;
    if (length <= lineLength) continue;
    lines += 1;
    length = word.length;
  }
  return lines;
}
