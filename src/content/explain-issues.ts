import type { z } from 'zod';
import { EMPTY } from '#shared/content-fields.ts';
import { findNearest } from './find-nearest.ts';

/** Says what was expected where a schema has no words of its own; of unknown fields, the names of those that it knows. */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_value') return `expected one of ${issue.values.join(', ')}`;
  if (issue.code === 'unrecognized_keys') return Object.keys((issue.inst as z.ZodObject).shape).join(', ');
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.expected === 'array') return 'expected a list: each entry on a line of its own that begins with "- "';
  if (issue.expected === 'object') return 'expected fields of its own, each on a line below it, indented by two spaces';
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
    if (issue.code === 'unrecognized_keys' || misspelt.has(formatFieldName(issue.path))) continue;
    report(issue.path, explainIssue(issue));
  }
}

function explainIssue({ code, path, message, input }: z.core.$ZodIssue): string {
  if (code === 'custom') return message;
  if (path.length === 0) return 'no fields are written here. Copy the file again from a version that worked';
  if (input === undefined) {
    const parent = path.slice(0, -1);
    const where =
      parent.length > 0 ? `below "${formatFieldName(parent)}", indented like its neighbours` : 'to this file';
    const choice = code === 'invalid_value' ? `: ${message.replace('expected ', '')}` : '';
    return `this field is missing. Add a line "${String(path.at(-1))}: …" ${where}${choice}`;
  }
  return typeof input === 'string' && input.trim() !== '' ? `${message}, but found ${JSON.stringify(input)}` : message;
}

/** As an owner counts: the second card is card 2. */
export function formatFieldName(path: PropertyKey[]): string {
  return path.map((part) => (typeof part === 'number' ? part + 1 : String(part))).join(' > ');
}
