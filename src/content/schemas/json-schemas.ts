import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { SCHEMAS } from '../parse-content.ts';

/**
 * Writes a JSON Schema for each YAML file of content/, so that editors can complete and check it. Git ignores these.
 * @param folder absolute path of content/schemas, which the first line of each YAML file names
 */
export function writeJsonSchemas(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    for (const [name, schema] of Object.entries(SCHEMAS)) {
      // Editors support draft 7 best; a field with a default may be left out.
      const text = `${JSON.stringify(z.toJSONSchema(schema, { io: 'input', target: 'draft-7' }), null, 2)}\n`;
      writeIfChanged(join(folder, `${name}.json`), text);
    }
  } catch (error) {
    console.warn(`Editors can't check content/ as you type: ${(error as Error).message}`);
  }
}

function writeIfChanged(file: string, text: string): void {
  try {
    if (readFileSync(file, 'utf8') === text) return;
  } catch {
    // It doesn't exist yet.
  }
  writeFileSync(file, text);
}
