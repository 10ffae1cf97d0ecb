/**
 * Every regular expression of src/, literal or `new RegExp(…)`, takes linear time, or is listed
 * with the reason why it never gets a stranger's text.
 */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { check } from 'recheck';
import { parseSync, Visitor } from 'vite';
import { expect, test, vi } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** By file or folder: the texts that its expressions read. */
const NEVER_A_STRANGERS: Record<string, string> = {
  'src/content/': "the owner's content/ and settings",
  'src/shared/describe-error.ts': 'the first 4,000 characters of a stack',
  'src/settings/': "the owner's settings",
  'src/newsletter/deliveries/smtp/smtp-replies.ts': 'a reply of a mail server, cut to 2,000 characters',
  'src/cli/': "the owner's files and what she types",
  'src/newsletter/import/': "the owner's files",
  'src/newsletter/updates/': "the owner's files",
  'src/desk/website/': "the site's own pages",
  'src/launch-check/': "the owner's content and her own site",
};

test('no regular expression takes more than linear time on text of strangers', { timeout: 300_000 }, async () => {
  // Its JavaScript build: the others take 29 MB, and time out on a busy machine.
  vi.stubEnv('RECHECK_BACKEND', 'pure');
  const expressions = globSync('src/**/*.{ts,tsx,js}', { cwd: root, exclude: ['**/*.test.*'] }).flatMap(
    readExpressions,
  );
  expect(expressions.length).toBeGreaterThan(100);
  const findings = expressions
    // Without an unbounded quantifier the time is bounded.
    .filter(({ pattern }) => /[*+]|,\}/.test(pattern))
    .filter(({ file }) => !Object.keys(NEVER_A_STRANGERS).some((place) => file.startsWith(place)))
    .map(async ({ file, pattern, flags }) => {
      const found = await check(pattern, flags, { timeout: 60_000 });
      if (found.status === 'safe' || (found.status === 'vulnerable' && isQuick(pattern, flags, found.attack.string)))
        return [];
      return [
        `${file}: /${pattern}/${flags} is ${found.status === 'vulnerable' ? found.complexity.summary : 'unknown'}`,
      ];
    });
  expect((await Promise.all(findings)).flat()).toEqual([]);
});

/**
 * The tool partly guesses, differently on a busy machine: an attack counts only if it takes long when it is
 * tried.
 */
function isQuick(pattern: string, flags: string, attack: string): boolean {
  const expression = new RegExp(pattern, flags);
  const times = [1, 2, 3].map(() => {
    const started = performance.now();
    attack.replace(expression, '');
    return performance.now() - started;
  });
  return Math.min(...times) < 1;
}

type Expression = { file: string; pattern: string; flags: string };
type Range = { start: number; end: number };

function readExpressions(file: string): Expression[] {
  const text = readFileSync(`${root}/${file}`, 'utf8');
  const found: Expression[] = [];
  const made: Range[][] = [];
  const inserted: Range[] = [];
  new Visitor({
    Literal: (node) => void ('regex' in node && found.push({ file, ...node.regex })),
    TemplateLiteral: ({ expressions }) => void inserted.push(...expressions),
    NewExpression: ({ callee, arguments: given }) =>
      void (callee.type === 'Identifier' && callee.name === 'RegExp' && made.push(given)),
  }).visit(parseSync(file, text).program);
  for (const given of made) {
    const [pattern = '', flags = ''] = given.map((argument) => evaluate(text, argument, inserted));
    found.push({ file, pattern, flags });
  }
  return found;
}

/** The value of an expression in a source text, with an x for each value that its templates insert. */
function evaluate(text: string, { start, end }: Range, inserted: Range[]): string {
  const within = inserted.filter((range) => range.start > start && range.end < end).toReversed();
  const source = within.reduce((rest, range) => `${rest.slice(0, range.start)}'x'${rest.slice(range.end)}`, text);
  return String(runInNewContext(source.slice(start, end + source.length - text.length)));
}
