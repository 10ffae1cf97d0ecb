/**
 * `npm run size`: what a visitor downloads, measured on the built site, held to its budgets.
 * Compressed means brotli at its best, as the server sends it; the document must fit under gzip as well, for hosts
 * that have nothing better.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Manifest } from 'vite';
import { withoutScripts } from './without-scripts.ts';

const KB = 1000;
const site = fileURLToPath(new URL('../../dist/site', import.meta.url));
const manifest: Manifest = JSON.parse(
  readFileSync(new URL('../../dist/server/manifest.json', import.meta.url), 'utf8'),
);

/** By source file, or by name where several sources share a chunk. */
const LOADER = 'src/site/islands/loader.ts';
const PARTS = 'src/site/islands/parts.ts';

const document = read('index.html');
const documentBytes = brotliCompressSync(document).byteLength;
const fonts = readdirSync(`${site}/assets`).filter((file) => file.endsWith('.woff2'));
const fontBytes = sum(fonts.map((file) => read(`assets/${file}`).byteLength));
const loader = compressed(closure([LOADER]));
const parts = compressed(closure([PARTS]));
const banner = brotliCompressSync(read('cookie-banner.html')).byteLength;

const baseline = brotliCompressSync(withoutScripts(document.toString())).byteLength + fontBytes;

const budgets = [
  // What a server may send in its first flight, ten packets.
  { what: 'Document with its styles, brotli', bytes: documentBytes, most: 14.3 * KB },
  { what: 'Document with its styles, gzip', bytes: gzipSync(document, { level: 9 }).byteLength, most: 16 * KB },
  { what: 'Script of every page', bytes: loader, most: 2.5 * KB },
  { what: 'Fonts', bytes: fontBytes, most: 36 * KB },
  { what: 'Cookie banner, style and all', bytes: banner, most: 3.2 * KB },
  {
    what: 'Before the load event, 1.15 times no script',
    bytes: documentBytes + loader + fontBytes,
    most: 1.15 * baseline,
  },
  {
    what: 'First visit until idle, banner and all',
    bytes: documentBytes + loader + fontBytes + banner + brotliCompressSync(read('favicon.svg')).byteLength,
    most: 45 * KB,
  },
  { what: 'First answer of a form, and tooltips', bytes: parts, most: 3.5 * KB },
];

let over = false;
for (const { what, bytes, most } of budgets) {
  const passed = bytes <= most;
  over ||= !passed;
  const figures = `${(bytes / KB).toFixed(2)} kB of ${Number((most / KB).toFixed(2))} kB`;
  console.log(`${passed ? '✓' : '✗'} ${what.padEnd(44)} ${figures.padStart(22)}`);
}
process.exit(over ? 1 : 0);

/** Every file that loading these sources brings, each once. */
function closure(sources: string[]): string[] {
  const files = new Set<string>();
  const visit = (source: string) => {
    const chunk = manifest[source] ?? Object.values(manifest).find(({ name }) => name === source);
    if (chunk === undefined) throw new Error(`The build has no ${source}: name here what the site loads`);
    if (files.has(chunk.file)) return;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const source of sources) visit(source);
  return [...files];
}

function compressed(files: string[]): number {
  return sum(files.map((file) => brotliCompressSync(read(file)).byteLength));
}

function read(file: string): Buffer {
  return readFileSync(`${site}/${file.startsWith('assets/') ? `assets/${basename(file)}` : file}`);
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
