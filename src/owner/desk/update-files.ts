import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { OPTIONAL_FIELDS } from '#shared/sign-up-fields.ts';

/** An update as it is written on the desk. */
export type Writing = {
  subject: string;
  preview: string;
  text: string;
  /** Undefined for everybody; an empty text is of people who gave no role. */
  roles: string[] | undefined;
};

/** In the address of an update that has no file yet. */
export const NEW = '_new';

/** Every role that somebody may have, with that of people who gave none. */
export const ROLES: readonly string[] = [...OPTIONAL_FIELDS.role.options, ''];

/** The files of content/updates/ without their ending, the newest first. */
export function listUpdateFiles(folder: string): { name: string; changedAt: number }[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.md')) : [];
  return names
    .map((name) => ({ name: name.slice(0, -3), changedAt: statSync(join(folder, name)).mtimeMs }))
    .toSorted((one, other) => other.changedAt - one.changedAt);
}

/** The text of an update's file, or undefined. @param name of the file, as it is in an address */
export function readSource(folder: string, name: string): string | undefined {
  const file = join(folder, `${name}.md`);
  return isName(name) && existsSync(file) ? readFileSync(file, 'utf8').replaceAll(/\r\n?/g, '\n') : undefined;
}

/** So that no address leads out of the folder. */
export function isName(name: string): boolean {
  return name !== '' && name.length <= 200 && !name.startsWith('.') && !/[/\\\p{Cc}]/u.test(name);
}

/** The address of the page on which an update is written, whatever its file is called. */
export function writingPath(name: string): string {
  return `/updates/write/${encodeURIComponent(name)}`;
}

/** Changes with every change of a file; empty where there is none. */
export function hashSource(source: string | undefined): string {
  return source === undefined ? '' : createHash('sha256').update(source).digest('hex').slice(0, 16);
}

/** Takes a file apart; what cannot be read stays in the text, so that no word is lost. */
export function toWriting(source: string): Writing {
  const [whole, facts, text] = /^---\n([\s\S]*?)\n---\n+([\s\S]*)$/.exec(source) ?? [];
  if (whole === undefined) return { subject: '', preview: '', text: source, roles: undefined };
  try {
    const { subject = '', preview = '', roles } = parse(facts ?? '') as Record<string, unknown>;
    const line = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
    return {
      subject: line(subject),
      preview: line(preview),
      text: text ?? '',
      roles: Array.isArray(roles) ? roles.map(line) : undefined,
    };
  } catch {
    return { subject: '', preview: '', text: source, roles: undefined };
  }
}

/** Puts a file together; a text in JSON's quotes is one in YAML's too. */
export function toSource({ subject, preview, text, roles }: Writing): string {
  const facts = [`subject: ${JSON.stringify(subject)}`, `preview: ${JSON.stringify(preview)}`];
  if (roles !== undefined) facts.push(`roles: ${JSON.stringify(roles)}`);
  return `---\n${facts.join('\n')}\n---\n\n${text.trim()}\n`;
}

/** @param form of the desk, whose boxes for roles come as `roles` */
export function readWriting(form: Record<string, unknown>): Writing {
  const field = (name: string) => (typeof form[name] === 'string' ? form[name] : '');
  const line = (name: string) => field(name).replaceAll(/\s+/g, ' ').trim();
  const roles = [form.roles ?? []]
    .flat()
    .map(String)
    .filter((role) => ROLES.includes(role));
  const text = field('text').replaceAll(/\r\n?/g, '\n');
  return {
    subject: line('subject'),
    preview: line('preview'),
    text,
    roles: roles.length === 0 || roles.length === ROLES.length ? undefined : roles,
  };
}

/** Writes a file whole or not at all. */
export function writeSource(folder: string, name: string, source: string): void {
  mkdirSync(folder, { recursive: true });
  const draft = join(folder, `.${name}.unfinished`);
  writeFileSync(draft, source);
  renameSync(draft, join(folder, `${name}.md`));
}

/** `2026-12-what-enterprise-aes-earned`, or with a number behind it where there is such a file. */
export function newName(folder: string, subject: string, now: Date): string {
  const words = subject
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const name = `${now.toISOString().slice(0, 7)}-${words.slice(0, 50).replace(/-$/, '') || 'update'}`;
  let number = 1;
  const numbered = () => (number === 1 ? name : `${name}-${number}`);
  while (existsSync(join(folder, `${numbered()}.md`))) number += 1;
  return numbered();
}

/** Words that were typed and not saved, beside the list: content/updates/ holds only what was saved. */
export function openDrafts(dataDir: string) {
  const folder = join(dataDir, 'drafts');
  const file = (name: string) => join(folder, `${name}.md`);
  return {
    read: (name: string): { source: string; at: number } | undefined =>
      isName(name) && existsSync(file(name))
        ? { source: readFileSync(file(name), 'utf8'), at: statSync(file(name)).mtimeMs }
        : undefined,
    keep: (name: string, source: string): void => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(file(name), source, { mode: 0o600 });
    },
    remove: (name: string): void => {
      if (isName(name)) rmSync(file(name), { force: true });
    },
  };
}
