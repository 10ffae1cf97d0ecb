import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Kysely } from 'kysely';
import { tryDecodeURIComponent } from 'hono/utils/url';
import { imageSize } from 'image-size';
import { createFileCheck } from '#content/list-files.ts';
import { parseUpdate, type Update } from '#content/markdown/parse-update.ts';
import { createPlaceholderFiller } from '#content/text/placeholders.ts';
import { formatSourceError, type SourceError } from '#content/text/yaml-text.ts';
import type { Schema } from '#newsletter/database/schema.ts';
import type { MailSite } from '#newsletter/mails/mail-layout.tsx';
import type { MailTemplate } from '#newsletter/mails/mail-template.ts';
import { type PictureSizes, renderUpdateMail } from '#newsletter/mails/update-mail.tsx';
import { readSource } from './stored-emails.ts';
import { findPictureNames, PICTURES_PATH, readPictureSizes } from './stored-pictures.ts';
import type { Source } from './update-files.ts';

/**
 * An update that is ready to be shown or sent.
 * @property source its text, with its front matter
 * @property pictures the names of its stored pictures
 * @property warnings a line for each thing that readers may see differently
 */
export type ReadUpdate = {
  file: string;
  source: string;
  update: Update;
  template: MailTemplate;
  pictures: string[];
  warnings: string[];
};

/** The database, the folders of the built site and of the updates' files, and the agency that sends the emails. */
export type UpdateSources = { db: Kysely<Schema>; site: string; updates: string; sender: MailSite };

/**
 * Reads and renders an update.
 * @param file its name, with or without .md
 * @throws with a line for each error: file, line, column and what to do
 */
export async function readUpdateFile(file: string, sources: UpdateSources): Promise<ReadUpdate> {
  return readUpdateText(await findSource(file, sources), sources);
}

/** Reads and renders the text of an update. @throws with a line for each error: file, line, column and what to do */
export async function readUpdateText(
  source: Pick<Source, 'name' | 'text' | 'errors'>,
  { db, site, sender }: Omit<UpdateSources, 'updates'>,
): Promise<ReadUpdate> {
  const sizes = toUrls(await readPictureSizes(db, findPictureNames(source.text)));
  const isInSite = createFileCheck(site);
  const name = `${source.name}.md`;
  throwErrors(name, source.errors);
  const { update, errors } = parseUpdate(source.text, {
    fill: createPlaceholderFiller(sender.agency, { isWhole: true }),
    isPublicFile: (path) => sizes.has(path) || isInSite(path),
  });
  throwErrors(name, errors);
  const template = renderUpdateMail(update!, sender, measurePictures(name, update!, { site, sizes }));
  const warnings = update!.warnings.map((warning) => formatSourceError(name, warning));
  return {
    file: name,
    source: source.text,
    update: update!,
    template,
    pictures: [...sizes.keys()].map((url) => url.slice(PICTURES_PATH.length)),
    warnings: [...warnings, ...findClipping(name, template)],
  };
}

/** @throws with a line for each picture that email programs can't display */
function measurePictures(
  file: string,
  { images }: Update,
  { site, sizes: stored }: { site: string; sizes: PictureSizes },
): PictureSizes {
  const sizes: PictureSizes = new Map(stored);
  const errors = images.flatMap(({ url, line }) => {
    const size = stored.get(url) ?? measure(join(site, tryDecodeURIComponent(url)));
    if (size !== undefined) sizes.set(url, size);
    const message = `image: expected a picture that emails can show (JPEG, PNG or GIF), but found ${url}`;
    return size === undefined ? [{ line, column: 1, message }] : [];
  });
  throwErrors(file, errors);
  return sizes;
}

function measure(path: string): { width: number; height: number } | undefined {
  try {
    const { type, width, height } = imageSize(readFileSync(path));
    return ['jpg', 'png', 'gif'].includes(type ?? '') ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Gmail shows the first 102 kB of an email and cuts off the rest, including the unsubscribe link
 * (https://www.caniemail.com/features/html-doctype/ and Mailchimp's "Gmail Is Clipping My Email").
 */
function findClipping(file: string, { html }: MailTemplate): string[] {
  const kilobytes = Math.ceil(Buffer.byteLength(html) / 1000);
  if (kilobytes <= 100) return [];
  return [
    `${file}: as an email it is ${kilobytes} kB. Gmail cuts emails off at 102 kB, and the unsubscribe link is at the end. Shorten it to 100 kB`,
  ];
}

/**
 * Checks that the running site serves an update's pictures: readers load them from there, and it may be older than the
 * file.
 * @param site the origin of the running site; undefined if it has none yet
 * @throws with a line for each picture that it doesn't serve
 */
export async function rejectMissingPictures({ file, update }: ReadUpdate, site: string | undefined): Promise<void> {
  if (site === undefined) return;
  const errors = await Promise.all(
    update.images.map(async ({ url, line }) => {
      const found = await requestPicture(site + url);
      const message = `image: ${site} ${found} for ${url}, so readers would not see this picture. Check that the site is running and has it`;
      return found === undefined ? [] : [{ line, column: 1, message }];
    }),
  );
  throwErrors(file, errors.flat());
}

/** @returns what is wrong; undefined if nothing is */
async function requestPicture(url: string): Promise<string | undefined> {
  try {
    const { status, headers } = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(10_000) });
    if (status !== 200) return `responded with ${status}`;
    return headers.get('content-type')?.startsWith('image/') ? undefined : 'didn’t respond with a picture';
  } catch {
    return 'didn’t respond';
  }
}

function throwErrors(file: string, errors: SourceError[]): void {
  if (errors.length > 0) throw new Error(errors.map((error) => formatSourceError(file, error)).join('\n'));
}

function toUrls(sizes: PictureSizes): PictureSizes {
  return new Map([...sizes].map(([name, size]) => [PICTURES_PATH + name, size]));
}

/** @throws if there is no such update */
async function findSource(file: string, { db, updates }: UpdateSources): Promise<Source> {
  const source = await readSource(db, updates, basename(file, '.md'));
  if (source === undefined) throw new Error(`${file}: there is no such update`);
  return source;
}
