import { isDeepStrictEqual } from 'node:util';
import type { Node, YAMLSeq } from 'yaml';
import type { Value } from './edit-yaml.ts';
import { applyEdits, type Edit, endOfLine, endOfNode, indent, startOfLine } from './text-edits.ts';

type ListChange = {
  source: string;
  node: YAMLSeq;
  /** As the list is written, each entry on lines of its own. */
  current: Value[];
  /** As it is to be, with at least one entry. */
  value: Value[];
  /** Changes what changed within an entry. */
  findEdits: (source: string, node: Node, value: Value) => Edit[];
  write: (value: Value) => string;
};

/** Moves, removes, changes and adds the entries of a list, each with its own lines and the remarks above it. */
export function changeList({ source, node, current, value, findEdits, write }: ListChange): Edit {
  const places = locateEntries(source, node);
  const origins = matchEntries(current, value);
  const [first] = places;
  const column = first!.dash - startOfLine(source, first!.dash);
  const blocks = value.map((entry, index) => {
    const origin = origins[index];
    if (origin === undefined) return indent(write([entry]), column);
    const { start, end } = places[origin]!;
    const edits = findEdits(source, node.items[origin] as Node, entry);
    return applyEdits(source.slice(0, end), edits).slice(start);
  });
  const gap = (index: number) => places[Math.min(index, places.length - 2)]?.gap ?? '';
  const text = blocks.map((block, index) => (index === 0 ? block : `\n${gap(index - 1)}${block}`)).join('');
  return { start: first!.start, end: places.at(-1)!.end, text };
}

/**
 * @property start of its first line, a remark's if one is above it
 * @property gap the blank lines between it and the next
 */
type Place = { dash: number; start: number; end: number; gap: string };

function locateEntries(source: string, { items }: YAMLSeq): Place[] {
  const places: Place[] = [];
  for (const item of items as Node[]) {
    const dash = source.lastIndexOf('-', item.range![0] - 1);
    const end = endOfLine(source, endOfNode(source, item));
    const before = places.at(-1);
    let start = startOfLine(source, dash);
    if (before === undefined) {
      while (/^[ \t]*#/.test(source.slice(startOfLine(source, start - 1), start)))
        start = startOfLine(source, start - 1);
    } else {
      const [blank = ''] = /^\n(?:[ \t]*\n)*/.exec(source.slice(before.end, start)) ?? [];
      before.gap = blank.slice(1);
      start = before.end + blank.length;
    }
    places.push({ dash, start, end, gap: '' });
  }
  return places;
}

/** @returns for each entry of a new list the place of the one that it was; undefined for one that is added */
function matchEntries(current: Value[], value: Value[]): (number | undefined)[] {
  const origins: (number | undefined)[] = value.map(() => undefined);
  const free = new Set(current.keys());
  const match = (isSame: (before: Value, after: Value) => boolean) => {
    for (const [index, entry] of value.entries()) {
      if (origins[index] !== undefined) continue;
      const candidates = [...free].toSorted((a, b) => Math.abs(a - index) - Math.abs(b - index));
      const found = candidates.find((each) => isSame(current[each]!, entry));
      if (found === undefined) continue;
      origins[index] = found;
      free.delete(found);
    }
  };
  match(isDeepStrictEqual);
  match(sharesText);
  // An entry of which every text was changed is still the one at its place, unless entries were added or removed.
  if (current.length === value.length) match(() => true);
  return origins;
}

function sharesText(before: Value, after: Value): boolean {
  if (!isObject(before) || !isObject(after)) return false;
  return Object.entries(before).some(([name, text]) => typeof text === 'string' && text !== '' && after[name] === text);
}

function isObject(value: Value): value is Record<string, Value> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
