import type { Context } from 'hono';

/** Adds the request's query to a path, so that a redirect doesn't lose campaign parameters. */
export function keepQuery(c: Context, path: string): string {
  return path + new URL(c.req.url).search;
}
