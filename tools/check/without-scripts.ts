/** The baseline: a page with every script element removed. */
export function withoutScripts(html: string): string {
  return html.replace(/<script\b.*?<\/script>/gs, '');
}
