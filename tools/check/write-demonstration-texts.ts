/** `node tools/check/write-demonstration-texts.ts`: run when the shipped content changes, so that launch-check knows it. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fingerprintsOf } from './demonstration-texts.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const texts = fingerprintsOf(path('../../content'));
writeFileSync(path('demonstration-texts.json'), `${JSON.stringify([...new Set(texts)].toSorted(), undefined, 2)}\n`);
