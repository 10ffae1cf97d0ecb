import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { filesOf } from '#server/built-site.ts';

/** Pictures, and fonts in woff2, are compressed already. */
const COMPRESSIBLE = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt', '.webmanifest', '.xml']);

/**
 * Writes a `.br` and a `.gz` beside every file that gains by it, for servers that send such files as they are.
 * @param folder the built site
 */
export async function precompress(folder: string): Promise<void> {
  const files = filesOf(folder)
    .filter((file) => COMPRESSIBLE.has(extname(file)))
    .map((file) => join(folder, file));
  await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(file);
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(bytes, {
          params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
        }),
        promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
      ]);
      await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
    }),
  );
}
