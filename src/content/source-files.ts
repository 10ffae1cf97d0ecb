import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { stringify } from 'yaml';
import { decodeText } from '#content/text/decode-text.ts';
import { findPicture, MARK_FILES, PORTRAIT_FILES } from '#content/pictures/picture-files.ts';
import { listMarkdownFiles, SCHEMAS } from '#content/parse-content.ts';
import { POLICY_FILE } from '#content/markdown/read-markdown-page.ts';
import { splitFrontMatter } from '#content/text/yaml-text.ts';
import { changeYaml, readYaml, type Value } from './edit-yaml.ts';

/** A text file in content/, as a path without its extension, such as `home` or `pages/terms`. */
export type SourceName = string;

/** The pictures of content/ and the names that each may have there; in a draft, a picture is named after its hash. */
export const PICTURES = { portrait: PORTRAIT_FILES, mark: MARK_FILES } as const;
export type PictureName = keyof typeof PICTURES;

/** The existing Markdown pages, the privacy policy first. */
export function listPages(content: string): SourceName[] {
  return [POLICY_FILE, ...listMarkdownFiles(content, 'pages')].map((file) => file.replace(/\.md$/, ''));
}

/** @returns the file's path in content/ */
export function toFile(name: SourceName): string {
  return `${name}${name in SCHEMAS ? '.yaml' : '.md'}`;
}

/** @returns its text; empty if the file doesn't exist yet */
export function readSource(content: string, name: SourceName): string {
  const path = join(content, toFile(name));
  return existsSync(path) ? (decodeText(readFileSync(path)).text ?? '') : '';
}

/** Reads the fields of a YAML file, or the front matter of a page and, as `text`, its body. */
export function readValues(name: SourceName, source: string): Value {
  if (name in SCHEMAS) return readYaml(source);
  const { frontMatter, body } = splitFrontMatter(source) ?? { frontMatter: '', body: source };
  const values = frontMatter === '' ? {} : readYaml(frontMatter);
  return { ...(values as Record<string, Value>), text: body.trim() };
}

/**
 * Replaces the values of a file that differ.
 * @param values everything that the file will contain, in the form that `readValues` returns
 * @returns the file's new text
 */
export function changeSource(name: SourceName, source: string, values: Value): string {
  if (name in SCHEMAS) return changeYaml(source, values);
  const { text, ...frontMatter } = values as Record<string, Value>;
  const parts = splitFrontMatter(source);
  if (parts === undefined) return `---\n${stringify(frontMatter)}---\n\n${text as string}\n`;
  const { body } = parts;
  const head = source.slice(0, source.length - body.length);
  const changed = head.replace(parts.frontMatter, () => changeYaml(parts.frontMatter, frontMatter));
  return changed + (body.trim() === text ? body : `\n${text as string}\n`);
}

/** Names a picture after the hash of its bytes, with its extension. */
export function namePicture(bytes: Uint8Array, ending: string): string {
  return `${hash('sha256', bytes).slice(0, 16)}${ending}`;
}

/** @returns the name of each picture, or '' if there is none */
export function readPictures(content: string): Record<PictureName, string> {
  const read = (files: string[]) => {
    const path = findPicture(content, files);
    return path === undefined ? '' : namePicture(readFileSync(path), extname(path));
  };
  return { portrait: read(PORTRAIT_FILES), mark: read(MARK_FILES) };
}
