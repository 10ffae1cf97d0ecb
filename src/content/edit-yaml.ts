import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isScalar, isSeq, type Node, type Pair, parseDocument, Scalar, type YAMLMap } from 'yaml';

/** A value in a file of content/: strings, booleans, lists and groups. */
export type Value = string | boolean | null | Value[] | { [name: string]: Value };

/** Parses YAML as the build does: numbers are read as strings. @throws if it isn't YAML, with the position */
export function readYaml(source: string): Value {
  return parseYaml(source).toJS() as Value;
}

/**
 * Changes values in YAML. Comments are kept, and so is the style of each string, as far as the library allows: in files
 * formatted as the library formats them, such as those in content/, only the lines of changed values change.
 * @param value the complete new content; fields missing from it are removed
 * @throws if the text can't be changed
 */
export function changeYaml(source: string, value: Value): string {
  const document = parseYaml(source);
  document.contents = change(document, document.contents, value);
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: false });
  const changed = source.endsWith('\n') ? text : text.trimEnd();
  if (!isDeepStrictEqual(readYaml(changed), value)) throw new Error(CANNOT_CHANGE);
  return changed;
}

const CANNOT_CHANGE = 'The desk cannot edit a file that is written this way. Change it in an editor.';

function parseYaml(source: string): Document {
  const document: Document = parseDocument(source, {
    logLevel: 'silent',
    // "1.10" and "007" are strings, so they are quoted.
    customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || !/:(?:int|float)$/.test(tag.tag)),
    compat: 'core',
  });
  const [error] = document.errors;
  // Only the first line of the library's message: an excerpt of the file follows.
  if (error) throw new Error(`${error.message.split(':\n', 1)[0]!}. Correct it in an editor.`);
  return document;
}

/** @returns the node with its new value, or a new node if it can't hold that value */
function change(document: Document, node: Node | null, value: Value): Node {
  if (node && isDeepStrictEqual(node.toJS(document), value)) return node;
  if (isScalar(node) && typeof value !== 'object') {
    node.value = value;
    if (node.type?.startsWith('BLOCK')) node.type = Scalar.PLAIN;
    return node;
  }
  if (isMap(node) && isGroup(value)) changeGroup(document, node as FieldMap, value);
  else if (isSeq<Node>(node) && Array.isArray(value)) {
    if (node.items.length === 0) node.flow = false;
    const left = [...node.items];
    const same = value.map((entry) => {
      const at = left.findIndex((each) => isDeepStrictEqual(each.toJS(document), entry));
      return at === -1 ? undefined : left.splice(at, 1)[0];
    });
    node.items = value.map((entry, index) => same[index] ?? change(document, left.shift() ?? null, entry));
  } else return document.createNode(value);
  return node;
}

type FieldMap = YAMLMap<Scalar, Node | null>;

/** Fields that were there keep their order; new ones come before the field that follows them in `value`. */
function changeGroup(document: Document, map: FieldMap, value: Record<string, Value>): void {
  if (map.items.length === 0) map.flow = false;
  map.items = map.items.filter(({ key }) => Object.hasOwn(value, String(key.value)));
  const find = (name: string | undefined) => map.items.findIndex(({ key }) => String(key.value) === name);
  const names = Object.keys(value);
  for (const [index, name] of names.entries()) {
    const pair = map.items[find(name)];
    if (pair && value[name] !== null) pair.value = change(document, pair.value, value[name]!);
    if (pair) continue;
    const next = find(names.slice(index + 1).find((each) => find(each) !== -1));
    const added = document.createPair(name, value[name]) as Pair<Scalar, Node>;
    map.items.splice(next === -1 ? map.items.length : next, 0, added);
  }
}

export function isGroup(value: Value | undefined): value is { [name: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
