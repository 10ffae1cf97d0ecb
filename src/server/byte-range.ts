/** A part of a body: the first byte and the one after the last. */
export type ByteRange = { start: number; end: number };

/**
 * The part that a Range header asks for (RFC 9110, section 14).
 * @param size how many bytes there are
 * @returns undefined where the whole is to be sent: no range, more than one, or none that can be read
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || first + last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  return start < end ? { start, end } : 'unsatisfiable';
}
