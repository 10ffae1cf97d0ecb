import { type Document, isMap, isNode, isPair, isScalar } from 'yaml';

/** Finds where the fields of a YAML document are written; a place is an offset in its text. */
export type Places = {
  find: (path: PropertyKey[]) => number;
  findKey: (path: PropertyKey[], key: string) => number;
  /** The text of a value as the file has it; of an empty field, the remark behind it. */
  readSource: (path: PropertyKey[], source: string) => string;
};

export function findPlaces(document: Document): Places {
  const nodeAt = (path: PropertyKey[]) => (path.length === 0 ? document.contents : document.getIn(path, true));
  const pairAt = (path: PropertyKey[], key: string) => {
    const parent = nodeAt(path);
    return isMap(parent) ? parent.items.find((item) => String(item.key) === key) : undefined;
  };
  const findKey = (path: PropertyKey[], key: string): number => {
    const pair = pairAt(path, key);
    return pair && isPair(pair) && isNode(pair.key) && pair.key.range ? pair.key.range[0] : find(path);
  };
  const find = (path: PropertyKey[]): number => {
    // An empty field or a group is found by its name; a missing one, by its nearest parent.
    for (let depth = path.length; depth > 0; depth -= 1) {
      const node = nodeAt(path.slice(0, depth));
      const key = path[depth - 1];
      if (node !== undefined && typeof key === 'string' && !(isScalar(node) && node.value !== null)) {
        return findKey(path.slice(0, depth - 1), key);
      }
      if (isNode(node) && node.range) return node.range[0];
    }
    return 0;
  };
  return {
    find,
    findKey,
    readSource(path, source) {
      const node = nodeAt(path);
      if (!isNode(node) || !node.range) return '';
      if (isScalar(node) && node.value === null) return /^[^\S\n]*(#.*)?/.exec(source.slice(node.range[0]))?.[1] ?? '';
      return source.slice(node.range[0], node.range[1]);
    },
  };
}
