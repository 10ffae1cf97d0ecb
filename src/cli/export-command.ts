import { appendFileSync } from 'node:fs';
import { namePrivateFile } from '#newsletter/backup/private-file.ts';
import { writeNewFile } from '#newsletter/backup/write-new-file.ts';
import { formatPeople } from '#newsletter/format.ts';
import { type ExportOptions, writePeople } from '#newsletter/import/export-list.ts';
import type { Opened } from '#newsletter/open-list.ts';
import { printResult, type JsonOption, write } from './print.ts';

/** Writes people with the evidence of their consent to a new file, or to standard output. */
export async function exportList(
  { env, store }: Opened,
  options: JsonOption & ExportOptions & { file?: string },
): Promise<void> {
  if (options.file === '-') {
    await writePeople(store, options, write);
    return;
  }
  const file = options.file ?? namePrivateFile(env, options.state, options.format);
  const count = await writeNewFile(file, (draft) => writePeople(store, options, (text) => appendFileSync(draft, text)));
  printResult(options, { file, people: count }, `${formatPeople(count)} written to ${file}\n`);
}
