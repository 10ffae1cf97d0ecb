/** `npm run settings`: writes the list of settings into .env.example and docs/settings.md. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describeEnvFile, describeSettingsTable } from './describe-settings.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
await writeFile(`${root}.env.example`, describeEnvFile());
const page = await readFile(`${root}docs/settings.md`, 'utf8');
await writeFile(`${root}docs/settings.md`, page.replace(/^\| setting [^]*?\n(?!\|)/m, describeSettingsTable()));
