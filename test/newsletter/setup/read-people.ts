import { readList } from '#newsletter/import/read-list.ts';
import { readPerson } from '#newsletter/import/read-person.ts';

const OPTIONS = { wording: 'Yes, write to me.', source: 'Moved here', date: '2026-06-01' };

/** @returns each person to import with the day of their consent, and each other line with the reason why not */
export function readPeople(lines: string[], name = 'list.csv'): string[] {
  const list = readList(lines.join('\n'), name);
  return list.rows.map((row) => {
    const line = readPerson(row, list, OPTIONS, 'day-first');
    if (line.kind === 'person') return `${line.person.email} ${line.person.givenAt.slice(0, 10)}`;
    return line.kind === 'out' ? `${line.email} out: ${line.why}` : `${row.line} ${line.kind}`;
  });
}
