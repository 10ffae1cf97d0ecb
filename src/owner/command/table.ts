/** Rows under headings, in columns as wide as their widest cell. Nothing in a cell can end its line or colour it. */
export function table(headings: string[], rows: string[][]): string {
  const lines = [headings, ...rows];
  return formatRows(lines, measureWidths(lines));
}

/** @param widths of columns that are written already: none gets narrower */
export function measureWidths(rows: string[][], widths: number[] = []): number[] {
  const measured = [...widths];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) measured[column] = Math.max(measured[column] ?? 0, cell.length);
  }
  return measured;
}

export function formatRows(rows: string[][], widths: number[]): string {
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.replace(/\p{Cc}/gu, ' ').padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}
