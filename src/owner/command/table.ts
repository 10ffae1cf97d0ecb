import { withoutControls } from '#shared/without-controls.ts';

/** Rows under headings, in columns as wide as their widest cell. Nothing in a cell can end its line or colour it. */
export function table(headings: string[], rows: string[][]): string {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) => lines.reduce((width, line) => Math.max(width, line[column]!.length), 0));
  const cells = lines.map((line) => line.map((cell, column) => withoutControls(cell).padEnd(widths[column] ?? 0)));
  return cells.map((line) => `${line.join('  ').trimEnd()}\n`).join('');
}
