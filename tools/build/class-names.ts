import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { transform } from 'lightningcss';
import { listFiles } from '#content/list-files.ts';

/** Reads the names in a CSS Module: its classes and its keyframes. */
export function readNames(file: string): string[] {
  const { exports } = transform({ filename: basename(file), code: readFileSync(file), cssModules: { grid: false } });
  return Object.keys(exports ?? {}).toSorted();
}

/**
 * Makes names of two letters for the build, which take half a kilobyte off each compressed document. They are counted
 * through in the order of the files, so that the same sources give the same names.
 * @param folder that holds every CSS Module
 */
export function makeShortNames(folder: string): (name: string, file: string) => string {
  const short = new Map<string, string>();
  const modules = listFiles(folder).filter((name) => name.endsWith('.module.css'));
  for (const module of modules.toSorted()) {
    const file = join(folder, module);
    for (const name of readNames(file)) short.set(`${file} ${name}`, writeShortName(short.size));
  }
  return (name, file) => {
    const found = short.get(`${resolve(file.split('?', 1)[0]!)} ${name}`);
    if (found === undefined) throw new Error(`${file}: expected the name ${name} to be in ${folder}`);
    return found;
  };
}

function writeShortName(index: number): string {
  return LETTERS[Math.floor(index / LETTERS.length)]! + LETTERS[index % LETTERS.length]!;
}

/** Without "a": programs that block advertisements hide everything with the class "ad". */
const LETTERS = 'bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ';
