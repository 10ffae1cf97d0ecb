import { join } from 'node:path';
import { readContent } from '#content/parse-content.ts';

/** The content that every test uses: a made-up agency's, so that an owner may replace content/. */
export const TEST_CONTENT = join(import.meta.dirname, 'content');

export const content = readContent(TEST_CONTENT);
