/** `npm run schemas`: writes content/schemas/, by which an editor completes and checks content/ as it is typed. */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { jsonSchemas } from './json-schemas.ts';

const folder = fileURLToPath(new URL('../../content/schemas', import.meta.url));
await mkdir(folder, { recursive: true });
for (const [file, schema] of Object.entries(jsonSchemas())) await writeFile(`${folder}/${file}`, schema);
