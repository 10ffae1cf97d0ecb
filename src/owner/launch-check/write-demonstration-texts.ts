/** `node src/owner/launch-check/write-demonstration-texts.ts`: run it when the shipped content changes. launch-check reads it. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { hashDemonstrationTexts } from './demonstration-texts.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const texts = hashDemonstrationTexts(path('../../../content'));
writeFileSync(path('demonstration-texts.json'), `${JSON.stringify([...new Set(texts)].toSorted(), undefined, 2)}\n`);
