import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { TestProject } from 'vitest/node';
import { buildSite } from '../build-site.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A build of the project's own content under PUBLIC_URL. */
    publicSite: string;
    /** A build of the project's own content without an address. */
    privateSite: string;
    /** A build of test/other-agency with a photograph. */
    otherAgency: string;
  }
}

/** Where the built sites say that they are. */
export const PUBLIC_URL = 'https://www.example.org';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Builds the sites that these tests look at, once for all of them. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const content = await otherContent();
  const publicSite = await buildSite({ SITE_URL: PUBLIC_URL });
  const privateSite = await buildSite({});
  const otherAgency = await buildSite({ SITE_URL: PUBLIC_URL, CONTENT_DIR: content });
  provide('publicSite', publicSite);
  provide('privateSite', privateSite);
  provide('otherAgency', otherAgency);
  return async () => {
    for (const folder of [content, publicSite, privateSite, otherAgency]) await rm(folder, { recursive: true });
  };
}

/**
 * The other agency's own words, with the small ones that no agency need change, and a photograph as telephones take
 * them: lying on its side, with a note in its EXIF; upright its upper half is white and its lower half black.
 */
async function otherContent(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'other-agency-'));
  for (const file of ['consent.yaml', 'mail.yaml', 'pages.yaml'])
    await cp(path(`../../content/${file}`), join(folder, file));
  await cp(path('../other-agency'), folder, { recursive: true });
  const whiteHalf = { create: { width: 800, height: 1200, channels: 3, background: '#fff' } } as const;
  await sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#000' } })
    .composite([{ input: whiteHalf, left: 0, top: 0 }])
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toFile(join(folder, 'portrait.jpg'));
  return folder;
}
