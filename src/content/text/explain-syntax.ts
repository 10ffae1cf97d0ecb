import type { ErrorCode } from 'yaml';

/** @property pos offsets of the part that can't be read */
type SyntaxIssue = { code: ErrorCode; message: string; pos: [number, number] };

const NOT_A_FIELD = 'this line is not a field. Write a name, a colon, a space and the text';
const WRONG_COLUMN = 'this line does not begin in the same column as the lines that it belongs to';

/**
 * Explains an error of the YAML library in words that need no knowledge of YAML.
 * @returns the library's own message for a rare one
 */
export function explainSyntax(source: string, { code, message, pos: [start] }: SyntaxIssue): string {
  const rest = source.slice(start).split('\n', 1)[0]!.trim();
  switch (code) {
    case 'BLOCK_AS_IMPLICIT_KEY':
      if (/:\s/.test(rest)) return `text that contains a colon must be in quotes: ${JSON.stringify(rest)}`;
      return message.includes('sequence')
        ? WRONG_COLUMN
        : `the line below ${JSON.stringify(rest)} begins too far right`;
    case 'BAD_SCALAR_START':
    case 'TAG_RESOLVE_FAILED':
      return requireQuotes(rest.charAt(0));
    case 'TAB_AS_INDENT':
      return 'this line begins with a tab. Use spaces';
    case 'BAD_INDENT':
    case 'MISSING_CHAR':
      return explainExit(message);
    case 'DUPLICATE_KEY':
      return 'this field is written twice';
    case 'MULTIPLE_DOCS':
      return 'everything below this line is not read. Remove the line';
    case 'MULTILINE_IMPLICIT_KEY':
      return NOT_A_FIELD;
    case 'BAD_DQ_ESCAPE':
      return 'in double quotes, a backslash must be written twice: \\\\';
    case 'UNEXPECTED_TOKEN':
      return message.endsWith('at node end')
        ? 'text goes on after its closing quotation mark. Put all of it in double quotes, and write \\" for those within'
        : message;
    default:
      return message;
  }
}

/** @param mark one with which YAML begins something other than text */
export function requireQuotes(mark: string): string {
  return `text that begins with ${mark} must be in quotes`;
}

function explainExit(message: string): string {
  const [, bracket] = /end with a (.)/.exec(message) ?? [];
  if (bracket) return `the ${bracket} that ends what stands above is missing`;
  const [, quote] = /Missing closing (.)quote/.exec(message) ?? [];
  if (quote) return `text in quotes does not end: its closing ${quote} is missing`;
  return /indent|same column|without - indicator/i.test(message) ? WRONG_COLUMN : message;
}
