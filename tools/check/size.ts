/**
 * `npm run size`: checks what a visitor downloads from the built site against the budgets.
 * Sizes are after brotli at its highest level, as the server sends files. The document has a gzip budget as well, for
 * hosts without brotli.
 */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Manifest } from 'vite';
import { readCode } from '#build/read-code.ts';
import { removeScripts } from './remove-scripts.ts';

const KB = 1000;
const site = fileURLToPath(new URL('../../dist/site', import.meta.url));
const manifest: Manifest = JSON.parse(read('../server/manifest.json').toString());

const DOCUMENT = 'index.html';
const loader = listWithImports('src/client/entry.ts');
const lateStyles = [readCode(fileURLToPath(new URL('../../dist/server', import.meta.url))).lateStyles.slice(1)];
const html = read(DOCUMENT).toString();
// The folder also has the fonts of earlier builds.
const fonts = globSync('assets/*.woff2', { cwd: site }).filter((file) => html.includes(file));
const fontsAndPictures = [...fonts, ...listEagerPictures()];
const early = [DOCUMENT, ...lateStyles, ...loader, ...fontsAndPictures];
const withoutScript =
  measureBrotli(removeScripts(html)) + sum([...lateStyles, ...fontsAndPictures].map(measureCompressed));

type Budget = { what: string; files: string[]; max: number; measure?: (file: string) => number };

const budgets: Budget[] = [
  { what: 'Document with its styles, brotli', files: [DOCUMENT], max: 16.5 * KB },
  { what: 'Document with its styles, gzip', files: [DOCUMENT], max: 19.2 * KB, measure: measureGzip },
  { what: 'Script of every page', files: loader, max: 2.8 * KB },
  { what: 'Fonts', files: fonts, max: 36 * KB },
  { what: 'Styles that don’t block rendering', files: lateStyles, max: 3 * KB },
  { what: 'Until load (1.15 × the size without scripts)', files: early, max: 1.15 * withoutScript },
  { what: 'First visit until idle', files: [...early, 'favicon.svg'], max: 45.5 * KB },
  {
    what: 'Form interactions and tooltips',
    files: listWithImports('src/client/interactions.ts'),
    max: 3.5 * KB,
  },
];

for (const { what, files, max, measure = measureCompressed } of budgets) {
  const bytes = sum(files.map(measure));
  const passed = bytes <= max;
  if (!passed) process.exitCode = 1;
  const figures = `${(bytes / KB).toFixed(2)} kB of ${Number((max / KB).toFixed(2))} kB`;
  console.log(`${passed ? '✓' : '✗'} ${what.padEnd(44)} ${figures.padStart(22)}`);
  for (const file of files) console.log(`    ${file.padEnd(42)} ${(measure(file) / KB).toFixed(2).padStart(8)} kB`);
}

/** The pictures that don't load lazily. */
function listEagerPictures(): string[] {
  const pictures = (html.match(/<img\b[^>]*>/g) ?? []).filter((picture) => !picture.includes('loading="lazy"'));
  return [...new Set(pictures.flatMap((picture) => /src="\/([^"]+)"/.exec(picture)?.[1] ?? []))];
}

/** Lists the files that a chunk of the manifest loads, each once. */
function listWithImports(source: string): string[] {
  const chunk = manifest[source];
  if (chunk === undefined) throw new Error(`The build has no ${source}: update this list to what the site loads`);
  return [...new Set([chunk.file, ...(chunk.imports ?? []).flatMap(listWithImports)])];
}

/** Fonts are compressed already. */
function measureCompressed(file: string): number {
  return file.endsWith('.woff2') ? read(file).byteLength : measureBrotli(read(file));
}

function measureBrotli(content: Buffer | string): number {
  return brotliCompressSync(content).byteLength;
}

function measureGzip(file: string): number {
  return gzipSync(read(file), { level: 9 }).byteLength;
}

function read(file: string): Buffer {
  return readFileSync(`${site}/${file}`);
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
