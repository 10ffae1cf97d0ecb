/** The baseline: a page with every script element and module preload removed. */
export function withoutScripts(html: string): string {
  return html.replace(/<script\b.*?<\/script>/gs, '').replace(/<link\b[^>]*rel="modulepreload"[^>]*>/g, '');
}
