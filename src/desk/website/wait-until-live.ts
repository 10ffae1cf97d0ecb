import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readSiteUrl } from '#newsletter/updates/send-test-mail.ts';
import { readBuiltSite } from '#build/built-site.ts';
import { findSites } from '#server/live-site.ts';
import type { Desk } from '../desk-types.ts';
import { isPageShown, readShownWords } from './ask-live.ts';
import { type Publication, readPublication, writePublication } from './publication.ts';

/**
 * Asks the live address until it shows what was published; after half a minute, or at once on a static host, the page
 * says what is left to do, and it goes on asking. Ends with the next publish, or with the desk.
 */
export function waitUntilLive(desk: Pick<Desk, 'env'>, name: string): void {
  // If a full disk can't take the result, the next start asks again.
  void askUntilLive(desk, name).catch(() => undefined);
}

async function askUntilLive(desk: Pick<Desk, 'env'>, name: string): Promise<void> {
  const { DATA_DIR } = desk.env;
  const isStatic = await isOnStaticHost(desk);
  const { words } = readBuiltSite(join(findSites(DATA_DIR), name));
  const until = Date.now() + (isStatic ? 0 : PATIENCE_MS);
  for (;;) {
    const last = readPublication(DATA_DIR);
    if (last?.name !== name || last.state === 'live') return;
    if (await isLive(desk, last, isStatic ? undefined : words))
      return writePublication(DATA_DIR, { ...last, state: 'live', liveAt: Date.now() });
    const isLate = Date.now() > until;
    if (isLate && last.state === 'showing') {
      const unseen = { state: 'unseen', reason: describeUnseen(readSiteUrl(desk.env)) } as const;
      writePublication(DATA_DIR, { ...last, ...(isStatic ? { state: 'written' } : unseen) });
    }
    await setTimeout(isLate ? ASK_LATE_MS : ASK_SOON_MS, undefined, { ref: false });
  }
}

const PATIENCE_MS = 30_000;
const ASK_SOON_MS = 500;
/** A host may take minutes to build, and a server may start later. */
const ASK_LATE_MS = 5000;

/** Whether a host for files shows the site: then the words go live by Git, or by another upload. */
export async function isOnStaticHost({ env }: Pick<Desk, 'env'>): Promise<boolean> {
  if (env.NEWSLETTER_ENDPOINT === undefined || env.SITE_URL === undefined) return false;
  return (await readShownWords(env.SITE_URL)) === undefined;
}

/** @param words those that a server of ours must show; undefined on a static host */
async function isLive(
  { env }: Pick<Desk, 'env'>,
  { name, page }: Publication,
  words: string | undefined,
): Promise<boolean> {
  const url = readSiteUrl(env);
  const site = join(findSites(env.DATA_DIR), name);
  if (words !== undefined && (await readShownWords(url)) !== words) return false;
  // Pages of a host that only receives lead to the site, which another machine shows.
  return page === undefined || env.RECEIVER_OF !== undefined || isPageShown(url, site, page);
}

function describeUnseen(url: string): string {
  return `Your words are in your files, but ${url} doesn't show them yet. If your site isn't running, start it. If it runs on another machine, commit and push content/ here, and go live there.`;
}
