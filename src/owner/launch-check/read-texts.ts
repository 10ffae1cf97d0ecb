import { isPair, isScalar, LineCounter, parseDocument, visit } from 'yaml';

/** A text of a YAML file, with the names of the fields it lies in; entries of one list share a name. */
export type PlacedText = { line: number; column: number; field: string; text: string };

/** Every text of a YAML file, in its order. */
export function readTexts(source: string): PlacedText[] {
  const found: PlacedText[] = [];
  const lines = new LineCounter();
  visit(parseDocument(source, { lineCounter: lines }), {
    Scalar(key, { value, source: written, range }, ancestors) {
      // A number is the text that is written, as the build reads it.
      const text = typeof value === 'number' ? written : value;
      if (key === 'key' || typeof text !== 'string') return;
      const path = ancestors.flatMap((each) => (isPair(each) && isScalar(each.key) ? [String(each.key.value)] : []));
      const { line, col: column } = lines.linePos(range![0]);
      found.push({ line, column, field: path.join(' > '), text });
    },
  });
  return found;
}
