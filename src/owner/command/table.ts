import { withoutControls } from '#shared/without-controls.ts';

/** Rows under headings, in columns as wide as their widest cell. Nothing in a cell can end its line or colour it. */
export function table(headings: string[], rows: string[][]): string {
  const lines = [headings, ...rows];
  return formatRows(lines, measureWidths(lines));
}

export function measureWidths(rows: string[][]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return widths;
}

export function formatRows(rows: string[][], widths: number[]): string {
  const lines = rows.map((row) => row.map((cell, column) => withoutControls(cell).padEnd(widths[column] ?? 0)));
  return lines.map((cells) => `${cells.join('  ').trimEnd()}\n`).join('');
}
