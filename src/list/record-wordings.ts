import { listConsentWordings } from './consent-wording.ts';
import type { Content } from '#shared/content-schema.ts';
import { iso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';

/** Resolves the version of a consent wording; undefined for one that was never shown. */
export type FindWording = (version: string) => Promise<string | undefined>;

/** Every wording ever shown stays on record, since a page may be open in a browser for longer than a release lasts. */
export async function recordWordings(store: Store, content: Pick<Content, 'home'>): Promise<FindWording> {
  const shown = listConsentWordings(content.home).map((wording) => ({ ...wording, first_shown_at: iso(Date.now()) }));
  await store.db
    .insertInto('consent_wordings')
    .values(shown)
    .onConflict((conflict) => conflict.column('version').doNothing())
    .execute();
  const known = new Map(shown.map(({ version, wording }) => [version, wording]));
  return async (version) => {
    if (!/^[0-9a-f]{12}$/.test(version)) return undefined;
    const wording = known.get(version);
    if (wording !== undefined) return wording;
    const row = await store.db
      .selectFrom('consent_wordings')
      .select('wording')
      .where('version', '=', version)
      .executeTakeFirst();
    if (row) known.set(version, row.wording);
    return row?.wording;
  };
}
