import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The result of the code stage: an identifier of all code, the URLs of scripts for browsers, and the styles of
 * every page as a string.
 */
export type Code = { id: string; loader: string; interactions: string; lateStyles: string; pageStyles: string };

/**
 * @param folder absolute path of a build's `server` folder
 * @throws if there is no code
 */
export function readCode(folder: string): Code {
  const file = join(folder, 'code.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} can't be read: run npm run build`, { cause: error });
  }
}

/** Returns the URLs of scripts and late styles, and the styles that every document contains: fonts, tokens and pages. */
export function makeAssets(code: Code, { fonts, tokens }: { fonts: string; tokens: string }) {
  const css = fonts + tokens + code.pageStyles;
  const styles = { css, hash: `sha256-${hash('sha256', css, 'base64')}` };
  return { styles, lateStyles: code.lateStyles, loader: code.loader, interactions: code.interactions };
}
