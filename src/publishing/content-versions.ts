import type { Kysely, Transaction } from 'kysely';
import { type Overlay, readBase } from '#content/overlay.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import type { ContentVersion, Schema } from '#newsletter/database/schema.ts';
import { toIso } from '#newsletter/database/iso-time.ts';

/** The content of a publish or a deploy. @property files the text files of content/ as they were shown, by path */
export type Version = Omit<ContentVersion, 'overlay' | 'files'> & { overlay: Overlay; files: Record<string, string> };

/** A version without its content. */
export type VersionFacts = Pick<ContentVersion, 'number' | 'changed' | 'made_by' | 'made_at'>;

/** The format of the overlays that this software writes; `upgradeOverlay` reads earlier formats. */
export const FORMAT = 1;

type Db = Kysely<Schema>;

/** @returns the number of the newest version; 0 if there is none */
export async function readNewestNumber(db: Db): Promise<number> {
  const row = await db
    .selectFrom('content_versions')
    .select((select) => select.fn.max('number').as('newest'))
    .executeTakeFirst();
  return row?.newest ?? 0;
}

/** @returns undefined if it is no longer stored */
export async function readVersion(db: Db, number: number): Promise<Version | undefined> {
  const row = await db.selectFrom('content_versions').selectAll().where('number', '=', number).executeTakeFirst();
  return row && { ...row, overlay: upgradeOverlay(row), files: JSON.parse(row.files) };
}

/** Lists all versions, the newest first. */
export function listVersions(db: Db): Promise<VersionFacts[]> {
  return db
    .selectFrom('content_versions')
    .select(['number', 'changed', 'made_by', 'made_at'])
    .orderBy('number', 'desc')
    .execute();
}

export type NewVersion = Pick<Version, 'overlay' | 'files' | 'git' | 'changed' | 'made_by'>;

/**
 * Adds a version, which servers then switch to.
 * @param after the newest number when work on this version began
 * @throws {NewerVersionError} if there is a newer one
 */
export async function addVersion(tx: Transaction<Schema>, after: number, version: NewVersion): Promise<number> {
  const number = after + 1;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('content_versions')
    .values({
      ...version,
      number,
      format: FORMAT,
      overlay: JSON.stringify(version.overlay),
      files: JSON.stringify(version.files),
      made_at: toIso(Date.now()),
    })
    .onConflict((conflict) => conflict.column('number').doNothing())
    .executeTakeFirst();
  if (!numInsertedOrUpdatedRows) throw new NewerVersionError();
  await tx
    .deleteFrom('content_versions')
    .where('number', '<=', number - KEPT)
    .execute();
  return number;
}

const KEPT = 100;

/** A newer version has been added since the draft was read, by a publish or a deploy. */
export class NewerVersionError extends Error {
  override message = 'a newer version has been made in the meantime. Look through your changes again';
}

/** Deletes a version with all its content, for example because it contains a name that must be erased. @throws if it is live */
export async function forgetVersion(store: Store, number: number): Promise<void> {
  await store.transaction(async (tx) => {
    if (number === (await readNewestNumber(tx))) {
      throw new Error('This is the newest version. Publish another one first.');
    }
    await tx.deleteFrom('content_versions').where('number', '=', number).execute();
  });
}

/**
 * Keeps the owner's value of a field that has changed in Git, by adding a version that shows the same content.
 * @param git absolute path of content/ as it is in Git
 * @param field.label names the field in the list of versions
 */
export async function keepOwnersValue(
  store: Store,
  git: string,
  field: { key: string; label: string; by: string },
): Promise<void> {
  const newest = await readVersion(store.db, await readNewestNumber(store.db));
  const own = newest?.overlay[field.key];
  if (newest === undefined || own === undefined) return;
  const overlay = { ...newest.overlay, [field.key]: { ...own, over: readBase(git, field.key) } };
  const changed = `kept as it was: ${field.label}`;
  const version = { overlay, files: newest.files, git: newest.git, changed, made_by: field.by };
  await store.transaction((tx) => addVersion(tx, newest.number, version));
}

/** Converts an overlay from an earlier format. @throws an error for the owner if this software can't read it */
export function upgradeOverlay({ format, overlay }: Pick<ContentVersion, 'format' | 'overlay'>): Overlay {
  if (format > FORMAT)
    throw new Error('your text was published with a newer version of this software; start that version');
  try {
    return JSON.parse(overlay) as Overlay;
  } catch (error) {
    throw new Error('your published text is damaged in the database; restore the last backup', { cause: error });
  }
}
