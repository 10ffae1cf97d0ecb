/**
 * A line of CSV (RFC 4180) that a spreadsheet opens without running anything in it: what would begin a formula gets an
 * apostrophe before it (OWASP, CSV injection).
 */
export function csvLine(cells: (string | null | undefined)[]): string {
  return `${cells.map((cell) => quoted(neutralised(cell ?? ''))).join(',')}\r\n`;
}

function neutralised(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
