import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { cleanTyped } from '#content/text/clean-typed.ts';
import { toSlug } from '#content/markdown/page-slug.ts';
import { decodeText } from '#content/text/decode-text.ts';
import { formatSourceError, type SourceError, splitFrontMatter } from '#content/text/yaml-text.ts';
import { ROLES_OR_NONE } from '#content/schemas/content-schema.ts';

const METADATA = z.object({
  subject: z.string().default(''),
  preview: z.string().default(''),
  /** Undefined for everybody; an empty string means people who gave no role. */
  roles: z.array(z.string()).optional(),
});

/** An update as it was written on the desk. */
export type Writing = z.infer<typeof METADATA> & { text: string };

/**
 * An update in the format of a file, from the desk's database or a file in content/updates. @property name as in a URL @property revision 0 for a file that the desk hasn't
 *   changed
 */
export type Source = { name: string; text: string; errors: SourceError[]; changedAt: number; revision: number };

/** An update's name in URLs before it is first saved. */
export const NEW = '_new';

/** Makes the path of the page on which an update is written. */
export function writingPath(name: string): string {
  return `/desk/updates/write/${encodeURIComponent(name)}`;
}

/** Lists the updates in a folder, newest first. */
export function listFileSources(folder: string): Source[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.md')) : [];
  return names
    .flatMap((name) => decodeSource(folder, name.slice(0, -3)) ?? [])
    .toSorted((one, other) => other.changedAt - one.changedAt);
}

/** @throws with the line if a file isn't UTF-8, since saving it again would lose letters */
export function readFileSource(folder: string, name: string): Source | undefined {
  const source = decodeSource(folder, name);
  if (source?.isDecoded === false) throw new Error(formatSourceError(`${name}.md`, source.errors[0]!));
  return source;
}

function decodeSource(folder: string, name: string): (Source & { isDecoded: boolean }) | undefined {
  const file = join(folder, `${name}.md`);
  const stats = isName(name) ? statSync(file, { throwIfNoEntry: false }) : undefined;
  if (!stats?.isFile()) return undefined;
  const { text, errors } = decodeText(readFileSync(file));
  return { name, text: text ?? '', errors, isDecoded: text !== undefined, changedAt: stats.mtimeMs, revision: 0 };
}

/** Whether a name is valid; one that leads out of the folder isn't. */
function isName(name: string): boolean {
  return name !== '' && name.length <= 200 && !name.startsWith('.') && !/[/\\\p{Cc}]/u.test(name);
}

/** Parses a file. If its front matter can't be parsed, the whole file becomes the text. */
export function toWriting(source: string): Writing {
  const { frontMatter, body } = splitFrontMatter(source) ?? { frontMatter: '', body: source };
  try {
    const text = body.replace(/^\n+/, '');
    return { ...METADATA.parse(parse(frontMatter, { schema: 'failsafe' }) ?? {}), text };
  } catch {
    return { subject: '', preview: '', text: source };
  }
}

/** Writes a file's text. A JSON string is also a YAML string. */
export function toSource({ text, ...metadata }: Writing): string {
  const given = Object.entries(metadata).filter(([, value]) => value !== undefined);
  const lines = given.map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  return `---\n${lines.join('')}---\n\n${text.trim()}\n`;
}

/** Reads the desk's form, which has a `roles` value for each ticked box. */
export function readWriting(form: FormData): Writing {
  const field = (name: string) => {
    const value = form.get(name);
    return typeof value === 'string' ? cleanTyped(value) : '';
  };
  const line = (name: string) => field(name).replaceAll(/\s+/g, ' ').trim();
  const chosen = ROLES_OR_NONE.filter((role) => form.getAll('roles').includes(role));
  return {
    subject: line('subject'),
    preview: line('preview'),
    text: field('text'),
    roles: chosen.length === 0 || chosen.length === ROLES_OR_NONE.length ? undefined : chosen,
  };
}

/** Finds a name that isn't taken yet: `what-aes-earned`, or `what-aes-earned-2`. */
export async function findFreeName(text: string, isTaken: (name: string) => Promise<boolean>): Promise<string> {
  const base = hyphenate(text);
  let name = base;
  for (let number = 2; await isTaken(name); number += 1) name = `${base}-${number}`;
  return name;
}

/** Turns `What AEs earned` into `what-aes-earned`. */
export function hyphenate(text: string): string {
  return toSlug(text).slice(0, 60).replace(/-$/, '') || 'unnamed';
}
