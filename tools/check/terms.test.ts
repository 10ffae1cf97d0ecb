import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** The software's own copy. The copy in content/ is the owner's, and may be in any language. */
const COPY = [
  ...list('docs/owner', /\.md$/),
  ...list('src/desk', /\.tsx$/),
  ...list('src/pages', /\.tsx$/),
  ...list('src/newsletter/mails', /\.tsx?$/),
  'docs/owner.md',
];

/** Words that copy must not use (CONTRIBUTING.md). Compounds such as "mail server" and code such as `mails` are fine. */
const WRONG_TERMS =
  /\be-mails?\b|(?<![\w$.#/{“'`-])(?:a|the|your|this|each|every|no) mails?\b(?!(?: server| account| provider| merge|[-.\w]))/gi;

test.each(COPY)('says email, not mail or e-mail, in %s', (file) => {
  const copy = readFileSync(file, 'utf8').replaceAll(/^[ \t]*(?:\/\/|\/?\*).*$/gm, '');
  expect(copy.match(WRONG_TERMS)).toBeNull();
});

function list(folder: string, pattern: RegExp): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && pattern.test(entry.name) && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name));
}
