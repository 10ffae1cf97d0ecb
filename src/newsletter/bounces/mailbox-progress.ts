import type { ImapFlow } from 'imapflow';
import { readMetadata, writeMetadata } from '../database/metadata.ts';
import type { Store } from '../database/open-store.ts';

/**
 * How far a folder has been read: the messages with UIDs from `earliest` to `last` have been looked at. Reading starts
 * over if the server assigns new UIDs.
 */
type Progress = { validity: string; last: number; earliest: number };

/**
 * Lists the messages of the last thirty days in the open folder that haven't been looked at: first those that arrived
 * since the last time, then older ones, newest first. They come in batches of a few hundred, and progress is recorded,
 * so a mailbox of any size is read just once, even if the connection breaks.
 * @param folder its path
 */
export async function* listUnread(client: ImapFlow, store: Store, folder: string): AsyncGenerator<Step> {
  const mailbox = client.mailbox;
  if (mailbox === false) return;
  const validity = String(mailbox.uidValidity);
  const known = await readProgress(store, folder);
  const next = mailbox.uidNext;
  let progress = known?.validity === validity ? known : { validity, last: next - 1, earliest: next };
  const remember = async (uid: number) => {
    const { last, earliest } = progress;
    progress = { validity, last: Math.max(last, uid), earliest: Math.min(earliest, uid) };
    const value = JSON.stringify(progress);
    await store.transaction((tx) => writeMetadata(tx, toName(folder), value));
  };
  const recent = await findRecent(client);
  const added = recent.filter((uid) => uid > progress.last);
  const earlier = recent.filter((uid) => uid < progress.earliest).toReversed();
  for (const uids of [added, earlier]) {
    for (let start = 0; start < uids.length; start += STEP) {
      const step = uids.slice(start, start + STEP);
      yield { uids: step, remember };
      await remember(step.at(-1)!);
    }
  }
  await remember(next - 1);
}

/** @property uids in the order in which to read them */
export type Step = { uids: number[]; remember: (uid: number) => Promise<void> };

const STEP = 200;
const DAYS = 30;

/** @returns the UIDs of the messages that arrived in the last thirty days, in order */
async function findRecent(client: ImapFlow): Promise<number[]> {
  const since = new Date(Date.now() - DAYS * 24 * 3600_000);
  const found = await client.search({ since }, { uid: true });
  return (found || []).toSorted((one, other) => one - other);
}

async function readProgress({ db }: Store, folder: string): Promise<Progress | undefined> {
  const value = await readMetadata(db, toName(folder));
  return value === undefined ? undefined : (JSON.parse(value) as Progress);
}

function toName(folder: string): string {
  return `bounce-mailbox-seen ${folder}`;
}
