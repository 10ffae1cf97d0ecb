/** Rows under headings, in columns as wide as their widest cell. Nothing in a cell can end its line or colour it. */
export function table(headings: string[], rows: string[][]): string {
  const lines = [headings, ...rows].map((row) => row.map((cell) => cell.replace(/\p{Cc}/gu, ' ')));
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}
