import { setTimeout } from 'node:timers/promises';
import { BroadcastChannel } from 'node:worker_threads';
import { join } from 'node:path';
import { leaveOut, mergeOverlays, type Overlay } from '#content/overlay.ts';
import { readBuiltSite } from '#build/built-site.ts';
import { writeMetadata } from '#newsletter/database/metadata.ts';
import { DRAFT_LOCK, readDraft, writeDraft } from '#publishing/content-drafts.ts';
import { addVersion } from '#publishing/content-versions.ts';
import { obtainSiteFromStore, PUBLISHED, readShownNumber, readTextFiles } from '#publishing/live-version.ts';
import { toSitePlaces } from '#server/find-places.ts';
import { explainToOwner } from '../explain-to-owner.ts';
import type { WebsiteDesk } from '../desk-types.ts';
import { type FieldState, readParts, settle, type Site, toOverlay } from './draft.ts';
import { findForm } from './site-parts.ts';

/**
 * The progress of publishing: `checking` the text, `making` the pages, `verifying` that a server shows them. It ends as
 * `live`, `unverified` (no server shows the pages yet), `awaiting-deploy` (the text is in files that a static host has
 * yet to build) or `failed` (nothing was published).
 */
export type PublicationState =
  | 'checking'
  | 'making'
  | 'verifying'
  | 'live'
  | 'unverified'
  | 'awaiting-deploy'
  | 'failed';

/** The last publish of this desk. @property at when it began, in milliseconds since 1970 */
export type Publication = {
  at: number;
  state: PublicationState;
  /** When it went live. */
  liveAt?: number;
  /** Why nothing was published, or why it isn't live yet. */
  reason?: string;
};

/** States that the page with the steps shows. */
export const RUNNING: ReadonlySet<PublicationState> = new Set(['checking', 'making', 'verifying']);

/** A publish request: the changed fields, and a description of the change. */
type Request = { site: Site; fields: FieldState[]; changed: string };

/**
 * Starts publishing, which continues after this returns. If the process is killed, either nothing has been published or
 * the next server to start shows the new version.
 * @returns a promise that settles when the version is in the database, or when that failed
 * @throws if this desk is already publishing
 */
export function beginPublish(desk: WebsiteDesk, request: Request): Promise<void> {
  const { last } = desk.publishing;
  if (last && ['checking', 'making'].includes(last.state)) {
    throw new Error('Your site is already being published. Wait until that has finished.');
  }
  const publication: Publication = { at: Date.now(), state: 'checking' };
  desk.publishing.last = publication;
  return publish(desk, request, publication).then(
    (number) => void verify(desk, publication, number),
    (error: unknown) => void Object.assign(publication, { state: 'failed', reason: explainFailure(desk, error) }),
  );
}

function explainFailure(desk: WebsiteDesk, error: unknown): string {
  const reason = explainToOwner(error, desk);
  return `Nothing was published: ${reason}${/[.?!]$/.test(reason) ? '' : '.'} Your changes are still here. Publish again when you have dealt with that.`;
}

/** @returns the number of the version */
async function publish(desk: WebsiteDesk, { site, fields, changed }: Request, publication: Publication) {
  const places = toSitePlaces(desk);
  const overlay = nextOverlay(desk, site, fields);
  const onChecked = () => {
    publication.state = 'making';
  };
  const made = await obtainSiteFromStore(places, site.store, { overlay, before: desk.shown, onChecked });
  const [misfit] = made.misfits;
  if (misfit) throw new Error(`${findForm(readParts(site), misfit.key)?.label ?? misfit.key}: ${misfit.message}`);
  const version = {
    overlay,
    files: readTextFiles(join(made.folder, 'content')),
    git: readBuiltSite(places.build).contentHash,
    changed,
    made_by: site.by,
  };
  const number = await site.store.transaction(async (tx) => {
    await writeMetadata(tx, DRAFT_LOCK, '');
    await writeDraft(tx, site.by, settle(await readDraft(tx), fields));
    return addVersion(tx, site.number, version);
  });
  desk.shown = { ...made, number };
  desk.content = readBuiltSite(made.folder).content;
  publication.state = 'verifying';
  announce();
  return number;
}

/** Creates the next version's overlay, without the fields that no longer fit. */
export function nextOverlay({ shown }: Pick<WebsiteDesk, 'shown'>, site: Site, fields: FieldState[]): Overlay {
  const overlay = mergeOverlays(leaveOut(site.overlay, shown.misfits), toOverlay(site, fields));
  if (JSON.stringify(overlay).length > MAX_OVERLAY) {
    throw new Error('All your text together can be at most 500 kB. Make a page shorter');
  }
  return overlay;
}

const MAX_OVERLAY = 500_000;

/** Tells the server of this process; others check every second. */
function announce(): void {
  const channel = new BroadcastChannel(PUBLISHED);
  channel.postMessage('');
  channel.close();
}

/** Polls until a server shows the version; after half a minute the page says that none does yet. */
async function verify({ store, publishing }: WebsiteDesk, publication: Publication, number: number): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  while (publishing.last === publication) {
    const shown = await readShownNumber(store).catch(() => 0);
    if (shown >= number) return void Object.assign(publication, { state: 'live', liveAt: Date.now() });
    const isLate = Date.now() > until;
    if (isLate) Object.assign(publication, { state: 'unverified', reason: UNVERIFIED });
    await setTimeout(isLate ? ASK_LATE_MS : ASK_SOON_MS, undefined, { ref: false });
  }
}

const PATIENCE_MS = 30_000;
const ASK_SOON_MS = 100;
const ASK_LATE_MS = 5000;

const UNVERIFIED =
  'Your changes are published, but no server shows them yet. If your site isn’t running, start it; if it is, its log gives the reason.';
