import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PORTRAIT_FILES } from '../build/portrait-plugin.ts';
import { CONTENT_FILES } from '../content/read-content.ts';
import type { Finding } from './finding.ts';

/** What the demonstration stands in with: names that can never be anyone's (RFC 2606), and a number of no company. */
const PLACEHOLDERS = /[\w.@-]*\.example\b|\b0{8}\b/g;

/**
 * What is left of the demonstration in the content folder.
 * @param folder absolute path of content/
 */
export function checkContent(folder: string): Finding[] {
  const named = (file: string) => relative(process.cwd(), join(folder, file));
  const placeholders = CONTENT_FILES.flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(PLACEHOLDERS)].map(({ 0: placeholder, index: column }) => ({
          where: `${named(file)}:${index + 1}:${column + 1}`,
          problem: `${placeholder} is a placeholder`,
          advice: 'Put your own in its place.',
        })),
      ),
  );
  if (PORTRAIT_FILES.some((file) => existsSync(join(folder, file)))) return placeholders;
  return [
    ...placeholders,
    {
      where: named('portrait.jpg'),
      problem: 'the drawn portrait stands in for a photograph',
      advice: `Put a photograph there (${PORTRAIT_FILES.join(', ')}), and describe it in home.yaml under founder.portraitAlt.`,
    },
  ];
}
