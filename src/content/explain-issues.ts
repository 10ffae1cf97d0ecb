import type { z } from 'zod';
import { EMPTY } from '#shared/content-fields.ts';
import { findNearest } from './find-nearest.ts';

/**
 * Says what was expected where a schema has no words of its own; of unknown fields, the names of those that it knows.
 */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_value') return `expected one of ${issue.values.join(', ')}`;
  if (issue.code === 'unrecognized_keys') return Object.keys((issue.inst as z.ZodObject).shape).join(', ');
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.expected === 'array')
    return 'expected a list: each entry on a line of its own that begins with "- ", or [] for none';
  if (issue.expected === 'object') return FIELDS_BELOW;
  if (issue.input === null) return EMPTY;
  return typeof issue.input === 'object'
    ? 'expected one text. Put a text that begins with { or [ in quotes, and check the spaces before the next line'
    : `expected a text. Put it in quotes: "${JSON.stringify(issue.input)}"`;
};

/**
 * Reports everything that a schema refuses, in words that tell an owner what to write.
 * @param issues with their input, described by `describeIssue`
 */
export function reportIssues(issues: z.core.$ZodIssue[], report: (path: PropertyKey[], message: string) => void): void {
  const misspelt = new Set<string>();
  for (const issue of issues.filter(({ code }) => code === 'unrecognized_keys')) {
    for (const key of (issue as z.core.$ZodIssueUnrecognizedKeys).keys) {
      const meant = findNearest(key, issue.message.split(', '));
      if (meant) misspelt.add(formatFieldName([...issue.path, meant]));
      const advice = meant ? `Did you mean "${meant}"?` : `Known here are ${issue.message}`;
      report([...issue.path, key], `this field is not known. ${advice}`);
    }
  }
  for (const issue of issues) {
    const isMisspelt = issue.input === undefined && misspelt.has(formatFieldName(issue.path));
    if (issue.code === 'unrecognized_keys' || isMisspelt) continue;
    report(issue.path, explainIssue(issue));
  }
}

function explainIssue({ code, path, message, input }: z.core.$ZodIssue): string {
  if (code === 'custom') return message;
  // The kind decides which fields an entry has, so zod gives the whole entry.
  if (code === 'invalid_union') return explainKind(path, message, input);
  if (path.length === 0) return 'no fields are written here. Copy the file again from a version that worked';
  if (input === undefined) return explainMissing(path, code === 'invalid_value' ? message : undefined);
  return typeof input === 'string' && input.trim() !== '' ? `${message}, but found ${JSON.stringify(input)}` : message;
}

function explainKind(path: PropertyKey[], message: string, entry: unknown): string {
  if (entry === null || typeof entry !== 'object') return FIELDS_BELOW;
  const kind = (entry as Record<PropertyKey, unknown>)[path.at(-1)!];
  return kind === undefined ? explainMissing(path, message) : `${message}, but found ${JSON.stringify(kind)}`;
}

/** @param choice such as `expected one of plausible, ga4` */
function explainMissing(path: PropertyKey[], choice: string | undefined): string {
  const parent = path.slice(0, -1);
  const where = parent.length > 0 ? `below "${formatFieldName(parent)}", indented like its neighbours` : 'to this file';
  const choices = choice === undefined ? '' : `: ${choice.replace('expected ', '')}`;
  return `this field is missing. Add a line "${String(path.at(-1))}: …" ${where}${choices}`;
}

const FIELDS_BELOW = 'expected fields of its own, each on a line below it, indented by two spaces';

/** Names a field with counts from 1: the second card is card 2. */
export function formatFieldName(path: PropertyKey[]): string {
  return path.map((part) => (typeof part === 'number' ? part + 1 : String(part))).join(' > ');
}
