import { isCollection, isPair, type Node } from 'yaml';

/** A part of a text, and what comes in its place. */
export type Edit = { start: number; end: number; text: string };

/** Applies edits that don't overlap. */
export function applyEdits(source: string, edits: Edit[]): string {
  let changed = '';
  let at = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    changed += source.slice(at, start) + text;
    at = end;
  }
  return changed + source.slice(at);
}

export function startOfLine(source: string, offset: number): number {
  return source.lastIndexOf('\n', offset - 1) + 1;
}

/** @returns the place of the line's end, or of the text's */
export function endOfLine(source: string, offset: number): number {
  const end = source.indexOf('\n', offset);
  return end === -1 ? source.length : end;
}

/** @returns where the last word of a value ends; blank lines and remarks below it are not part of it */
export function endOfNode(source: string, node: Node): number {
  if (isCollection(node) && node.flow !== true) {
    const last: unknown = node.items.at(-1);
    if (isPair(last)) return endOfNode(source, (last.value ?? last.key) as Node);
    if (last !== undefined) return endOfNode(source, last as Node);
  }
  const [start, end] = node.range!;
  // A text in block style would end below the blank lines that follow it.
  return start + source.slice(start, end).trimEnd().length;
}

export function indent(lines: string, columns: number): string {
  return lines.replaceAll(/^(?=.)/gm, ' '.repeat(columns));
}
