/** Removes every script element from a page; the result is the benchmark's baseline. */
export function removeScripts(html: string): string {
  return html.replace(/<script\b.*?<\/script>/gs, '');
}
