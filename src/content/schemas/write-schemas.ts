/**
 * `npm run schemas`: writes content/schemas/, by which an editor completes and checks content/ as it is typed, and the
 * settings in .env.example and docs/settings.md.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describeEnvFile, describeSettingsTable } from '#settings/describe-settings.ts';
import { makeJsonSchemas } from './json-schemas.ts';

const folder = fileURLToPath(new URL('../../../content/schemas', import.meta.url));
await mkdir(folder, { recursive: true });
for (const [file, schema] of Object.entries(makeJsonSchemas())) await writeFile(`${folder}/${file}`, schema);

const root = fileURLToPath(new URL('../../..', import.meta.url));
await writeFile(`${root}.env.example`, describeEnvFile());
const page = await readFile(`${root}docs/settings.md`, 'utf8');
await writeFile(`${root}docs/settings.md`, page.replace(/^\| setting [^]*?\n(?!\|)/m, describeSettingsTable()));
