/** Removes every script element from a page: the baseline of the bench. */
export function withoutScripts(html: string): string {
  return html.replace(/<script\b.*?<\/script>/gs, '');
}
