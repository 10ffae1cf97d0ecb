import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPair, LineCounter, parseDocument, visit } from 'yaml';
import { nameFile } from '#content/parse-content.ts';
import { splitFrontMatter } from '#content/text/yaml-text.ts';
import type { TextFile } from './check-content.ts';
import type { LaunchFinding } from './finding.ts';

/** Matches a space between two words in a text or a URL. */
const GAP = '(?:[ +_-]|%20)';

/**
 * Text from the demonstration: its names and addresses, domain names reserved for examples (RFC 2606), a company number
 * that no company has, telephone numbers reserved for fiction, sentences about its portrait and its founder and from
 * its update, and placeholders such as G-XXXX. All of it is repeated here because the owner replaces content/.
 */
const DEMONSTRATION = new RegExp(
  [
    String.raw`[\w.@-]{0,200}\.example\b`,
    String.raw`\b0{8}\b`,
    // The month of its privacy policy (specification, section 9).
    String.raw`(?<=^lastUpdated:\s*["']?)August 2025`,
    'Larkfield(?: Talent)?(?: Ltd)?',
    `Rowan${GAP}Lark`,
    String.raw`\bRowan\b`,
    `Northgate${GAP}Software`,
    `Meridian${GAP}Cloud`,
    `1${GAP}Example${GAP}Street`,
    `EC1A${GAP}?1AA`,
    'drawn in dots',
    'seven of them hiring inside two large enterprise software firms',
    'hundreds of senior SaaS sales professionals into teams across EMEA',
    'Over the year we sat between both sides',
    String.raw`\+44 20 7946 0\d{3}`,
    String.raw`\b[A-Z]{1,3}-X{3,}\b`,
    String.raw`\bX{4,}\b`,
    String.raw`\bYOUR[-_][A-Z_-]+\b`,
  ].join('|'),
  'gi',
);

/**
 * Finds text from the demonstration that is left in content/.
 * @param folder absolute path
 */
export function findLeftovers(folder: string, files: TextFile[]): LaunchFinding[] {
  // The agency's founder may also be called Rowan.
  const isOurs = /^ {2}name:\s*["']?Rowan (?!Lark)/im.test(readFileSync(join(folder, 'agency.yaml'), 'utf8'));
  return files.flatMap(({ file, text: source }) => {
    const findNames = file.endsWith('.yaml') ? readFields(source) : readFrontMatterFields(source);
    return source.split('\n').flatMap((line, index) => {
      const text = file.endsWith('.yaml') ? line.replace(/(^|\s)#.*/, '') : line;
      const found = [...text.matchAll(DEMONSTRATION)].filter(([word]) => !(isOurs && /^rowan$/i.test(word)));
      const [first, ...others] = found;
      if (first === undefined) return [];
      const quotes = [...new Set([first, ...others].map(([word]) => `“${word}”`))];
      const names = findNames(index, first.index);
      return {
        where: `${nameFile(folder, file)}:${index + 1}:${first.index + 1} ${names.at(-1) ?? ''}`.trimEnd(),
        problem: `${LIST.format(quotes)} ${quotes.length === 1 ? 'is' : 'are'} from the demonstration`,
        advice: 'Replace it with your own.',
        field: [file.replace(/\.\w+$/, ''), ...names].join('.'),
      };
    });
  });
}

const LIST = new Intl.ListFormat('en-GB');

/** Finds the names of the fields around a place, the outermost first. Lines and columns count from 0. */
type FindNames = (line: number, column: number) => string[];

/** Reads the fields of a YAML text. */
function readFields(source: string): FindNames {
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { lineCounter });
  return (line, column) => {
    const offset = lineCounter.lineStarts[line]! + column;
    let names: string[] = [];
    visit(document, {
      Scalar(_, { range }, path) {
        if (range![0] <= offset && offset < range![1]) names = path.filter(isPair).map(({ key }) => String(key));
      },
    });
    return names;
  };
}

/** Reads the front matter of a Markdown file; everything below it is `text`. */
function readFrontMatterFields(source: string): FindNames {
  const firstLine = splitFrontMatter(source)?.firstLine ?? 0;
  const lines = source.split('\n');
  return (line) => [line + 1 < firstLine ? lines[line]!.split(':', 1)[0]! : 'text'];
}
