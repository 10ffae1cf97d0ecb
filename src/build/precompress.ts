import { existsSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { listFiles } from '#content/list-files.ts';

/** Pictures and woff2 fonts are already compressed. */
const COMPRESSIBLE = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt', '.webmanifest', '.xml']);

/**
 * Writes a `.br` and a `.gz` beside every file that compression makes smaller, for servers that send such files.
 * @param folder the built site
 * @param earlier an earlier site, whose compressed files are reused for files with the same bytes
 */
export async function precompress(folder: string, earlier?: string): Promise<void> {
  const files = listFiles(folder).filter((file) => COMPRESSIBLE.has(extname(file)));
  await Promise.all(
    files.map(async (file) => {
      const path = join(folder, file);
      const bytes = await readFile(path);
      const before = earlier && join(earlier, file);
      if (before && existsSync(`${before}.gz`) && bytes.equals(await readFile(before))) {
        for (const ending of ['.br', '.gz']) await copyFile(before + ending, path + ending);
        return;
      }
      await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes));
      await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }));
    }),
  );
}
