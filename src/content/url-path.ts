import { tryDecodeURIComponent } from 'hono/utils/url';

/** Writes a path as browsers send it: `/Größe [1].pdf` is `/Gr%C3%B6%C3%9Fe%20[1].pdf`. */
export function encodeUrlPath(path: string): string {
  return new URL(`https://host${path.normalize('NFC').replaceAll(/[%?#\\]/g, encodeURIComponent)}`).pathname;
}

/** Writes all spellings of a path in one way: encoded or not, with or without a trailing slash. */
export function normalizeUrlPath(path: string): string {
  return encodeUrlPath(tryDecodeURIComponent(path)).replace(/(?<=.)\/+$/, '');
}
