import type { Evidence } from '#newsletter/import/import-subscribers.ts';
import { printResult, type JsonOption, formatRows, formatTime, writeError } from './print.ts';
import type { Opened } from '#newsletter/open-list.ts';
import {
  describeKeptOut,
  type ImportOutcome,
  importPeople,
  openList,
  type Question,
} from '#newsletter/import/import-list.ts';
import { MEANINGS } from '#newsletter/import/column-names.ts';
import type { ListFile } from '#newsletter/import/read-list.ts';
import type { ImportOptions } from '#newsletter/import/read-person.ts';

/**
 * Imports people from a file, or shows what an import would do.
 * @throws if neither the file nor the options say what these people agreed to, if its dates are ambiguous, or if a line
 *   can't be read, in which case the people on the other lines are still imported
 */
export async function importList(
  opened: Opened,
  file: string,
  options: JsonOption & ImportOptions & { dryRun?: boolean },
): Promise<void> {
  const { list, encoding } = openList(file);
  if (encoding === 'windows-1252') {
    writeError(
      `${file} is not UTF-8, so it was read as Windows-1252 (Western European). If letters look wrong, save it as "CSV UTF-8".\n`,
    );
  }
  const outcome = await importPeople(opened, list, options);
  if ('question' in outcome) throw new Error(describeQuestion(outcome.question));
  const { summary, keptOut, problems, leftOut, notes, first } = outcome;
  const columns = list.columns.map(({ name, meaning }) => ({ name, meaning }));
  const { ignored, beforeHeading, empty } = list;
  const data = { columns, ignored, beforeHeading, empty, ...summary, keptOut, problems, leftOut, notes, first };
  printResult(options, data, describeOutcome(list, outcome, options.dryRun ?? false));
  if (problems.length === 0) return;
  throw new Error(problems.map(({ line, expected }) => `line ${line}: ${expected}`).join('\n'));
}

function describeQuestion(question: Question): string {
  if (question.kind === 'evidence') {
    const flags = new Intl.ListFormat('en-GB').format(question.options.map((option) => `--${option}`));
    return `${flags}: expected, because the file doesn’t say, and you must be able to prove consent`;
  }
  const { line, column, text, readings } = question;
  return `line ${line}, ${column}: ${text} could be ${readings['day-first']} (add --dates day-first) or ${readings['month-first']} (add --dates month-first)`;
}

function describeOutcome(list: ListFile, outcome: ImportOutcome, dryRun: boolean): string {
  const { leftOut, notes, first, problems, summary } = outcome;
  const stayOut = [...leftOut, ...problems].toSorted((one, other) => one.line - other.line);
  const counts = { ...summary, empty: list.empty, 'before the header': list.beforeHeading };
  const sections: [string, string[][]][] = [
    ['Read as', list.columns.map(({ name, meaning }) => [name, MEANINGS[meaning]])],
    ['Ignored', list.ignored.length === 0 ? [] : [[list.ignored.join(', ')]]],
    [dryRun ? 'The first people who would be imported' : 'The first people who were imported', first.map(toCells)],
    ['Please check', notes.map(({ line, note }) => [`line ${line}`, note])],
    ['Not imported', stayOut.map(toReason)],
    ['Kept out', outcome.keptOut === 0 ? [] : [[describeKeptOut(outcome.keptOut)]]],
    [
      'In total',
      Object.entries(counts)
        .filter(([name, count]) => count > 0 || name === 'imported')
        .map(([name, count]) => [String(count), name === 'imported' && dryRun ? 'would be imported' : name]),
    ],
  ];
  const filled = sections.filter(([, rows]) => rows.length > 0);
  return filled.map(([title, rows]) => `${title}\n${formatRows(rows).replaceAll(/^/gm, '  ').trimEnd()}\n`).join('\n');
}

function toReason(each: ImportOutcome['leftOut'][number] | ImportOutcome['problems'][number]): string[] {
  const line = `line ${each.line}`;
  return 'why' in each ? [line, each.email, each.why] : [line, each.expected];
}

function toCells({ email, role, givenAt, source }: Evidence): string[] {
  return [email, role, `agreed ${formatTime(givenAt)}`, source];
}
