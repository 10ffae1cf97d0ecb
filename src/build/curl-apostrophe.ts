/**
 * Makes a font show the straight apostrophe as the curly one, so that a heading's text can stay as the specification
 * has it. Changes the glyph of one character in the table `cmap`, format 4 (OpenType 1.9, "cmap").
 * @param font TrueType, as subset-font writes it
 * @returns the same font; unchanged if its apostrophe has no entry of its own in the table
 */
export function curlApostrophe(font: Buffer): Buffer {
  const changed = Buffer.from(font);
  const subtable = findSubtable(changed);
  if (subtable === undefined) return changed;
  const [straight, curly] = ["'", '’'].map((character) => findGlyph(changed, subtable, character));
  if (straight?.entry && curly) changed.writeUInt16BE(curly.glyph, straight.entry);
  return changed;
}

/** @returns the offset of the Unicode subtable of format 4 */
function findSubtable(font: Buffer): number | undefined {
  const TABLES = 12;
  const directory = font.subarray(TABLES, TABLES + 16 * font.readUInt16BE(4));
  const record = directory.indexOf('cmap');
  if (record < 0) return undefined;
  const cmap = directory.readUInt32BE(record + 8);
  const offsets = Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, index) =>
    font.readUInt32BE(cmap + 8 + 8 * index),
  );
  return offsets.map((offset) => cmap + offset).find((subtable) => font.readUInt16BE(subtable) === 4);
}

/** @returns a character's glyph, and the offset of its entry; without one, the glyph is computed from its segment */
function findGlyph(font: Buffer, subtable: number, character: string) {
  const code = character.codePointAt(0)!;
  // Four arrays follow the header: ends of segments, starts, deltas, and offsets of their entries.
  const length = font.readUInt16BE(subtable + 6);
  let end = subtable + 14;
  while (font.readUInt16BE(end) < code) end += 2;
  const [start, delta, range] = [end + length + 2, end + 2 * length + 2, end + 3 * length + 2];
  const first = font.readUInt16BE(start);
  if (first > code) return undefined;
  const offset = font.readUInt16BE(range);
  const entry = offset === 0 ? undefined : range + offset + 2 * (code - first);
  const base = entry === undefined ? code : font.readUInt16BE(entry);
  return { entry, glyph: (base + font.readUInt16BE(delta)) % 0x10000 };
}
