import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect } from 'vitest';
import { ContentError, readContent } from '#content/parse-content.ts';
import { makeFolder } from './make-folder.ts';
import { TEST_CONTENT } from './test-content.ts';

export type ContentCopy = {
  /** Absolute path, different in each test. */
  readonly folder: string;
  /** @returns the line, counted from 1, on which the change begins */
  change: (file: string, from: string | RegExp, to: string) => number;
};

/** Gives each test in the calling file its own copy of the test content. */
export function copyContentForEachTest(): ContentCopy {
  let folder = '';
  beforeEach(() => {
    folder = makeFolder();
    cpSync(TEST_CONTENT, folder, { recursive: true });
  });
  return {
    get folder() {
      return folder;
    },
    change: (file, from, to) => {
      const path = join(folder, file);
      const before = readFileSync(path, 'utf8');
      const after = before.replace(from, () => to);
      expect(after).not.toBe(before);
      writeFileSync(path, after);
      const start = typeof from === 'string' ? before.indexOf(from) : before.search(from);
      return before.slice(0, start).split('\n').length;
    },
  };
}

/** @returns the errors from reading a content folder, one per line; empty if it is valid */
export function readErrors(folder: string): string[] {
  try {
    readContent(folder);
  } catch (error) {
    if (error instanceof ContentError) return error.message.split('\n');
    throw error;
  }
  return [];
}
