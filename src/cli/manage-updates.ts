import { printResult, type JsonOption, formatRows, write } from './print.ts';
import type { Opened } from '#newsletter/open-list.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import type { SentUpdate } from '#newsletter/database/schema.ts';
import { showSendTime } from '#newsletter/updates/send-time.ts';
import type { SendingCaps } from '#newsletter/deliveries/queue/mail-limits.ts';
import { describeWaiting } from '#newsletter/updates/waiting-reason.ts';
import {
  describeDropped,
  listUpdates,
  readProgress,
  type UpdateProgress,
  type UpdateSummary,
} from '#newsletter/updates/update-progress.ts';
import { cancelUpdate, pauseUpdate, resumeUpdate } from '#newsletter/updates/update-state.ts';
import { capitalise, formatPeople } from '#newsletter/format.ts';
import { describeSendingTime, readCaps } from '#newsletter/updates/plan-sending.ts';

/** Lists the updates, the newest first. */
export async function list({ store }: Opened, options: JsonOption): Promise<void> {
  const updates = await listUpdates(store.db);
  const rows = updates.map(({ id, file, state, recipients, send_at, subject }) => [
    id,
    file,
    state,
    formatPeople(recipients),
    showSendTime(Date.parse(send_at)),
    subject,
  ]);
  printResult(options, updates, rows.length === 0 ? NONE : formatRows(rows));
}

const NONE = 'No update has been sent yet.\n';

/** Shows an update's progress; by default, the newest update's. */
export async function status({ store, env }: Opened, which: string | undefined, options: JsonOption): Promise<void> {
  const [update] = which === undefined ? await listUpdates(store.db) : [await findUpdate(store, which)];
  if (update === undefined) throw new Error(NONE.trim());
  const progress = await readProgress(store.db, update);
  const reason = await describeWaiting(store.db, update, readCaps(env));
  const message = `${describe(progress, readCaps(env))}${reason === undefined ? '' : `Why it waits: ${reason}.\n`}`;
  printResult(options, progress, message);
}

export async function pause({ store }: Opened, which: string | undefined): Promise<void> {
  const { id, file } = await findUpdate(store, which, ['queueing', 'scheduled', 'sending']);
  const isPaused = await store.transaction((tx) => pauseUpdate(tx, id, 'the owner paused it'));
  if (!isPaused) throw explainConflict(file);
  write(`${file} is paused. To resume it: npm run updates -- resume\n`);
}

export async function resume({ store, env }: Opened, which: string | undefined): Promise<void> {
  const { id, file, send_at } = await findUpdate(store, which, ['paused']);
  const state = await resumeUpdate(store, id, readCaps(env), Date.now());
  if (state === undefined) throw explainConflict(file);
  const resumed =
    state === 'scheduled' ? `is scheduled for ${showSendTime(Date.parse(send_at))}` : 'is being sent again';
  write(`${file} ${resumed}. Nobody will get it twice.\n`);
}

export async function cancel({ store }: Opened, which: string | undefined): Promise<void> {
  const { id, file } = await findUpdate(store, which, ['queueing', 'scheduled', 'sending', 'paused']);
  const cancelled = await cancelUpdate(store, id, Date.now());
  if (cancelled === undefined) throw explainConflict(file);
  const { sent, sending, dropped } = cancelled;
  const inFlight = sending > 0 ? ` It is still on its way to ${formatPeople(sending)}.` : '';
  const message = `${file} is cancelled. ${formatPeople(sent)} had already received it.${inFlight} ${formatPeople(dropped)} will not get it.\n`;
  write(message);
}

/** @returns an error that says another command changed the update first */
function explainConflict(file: string): Error {
  return new Error(`${file}: another command has changed it in the meantime. Nothing was done.`);
}

/**
 * @param which an id, the beginning of one, or a file's name; may be left out if only one update is in one of the
 *   states
 * @param states the accepted states; left out for any state
 * @throws if there is no such update, or more than one
 */
async function findUpdate(store: Store, which?: string, states?: SentUpdate['state'][]): Promise<UpdateSummary> {
  const updates = (await listUpdates(store.db)).filter(({ state }) => states?.includes(state) ?? true);
  const named = (update: UpdateSummary) =>
    which === undefined || update.id.startsWith(which) || update.file === which || update.file === `${which}.md`;
  const [found, ...others] = updates.filter(named);
  if (found === undefined) {
    const expected = states ? EITHER.format(states.filter((state) => state !== 'queueing')) : 'known';
    throw new Error(`No update${which === undefined ? '' : ` "${which}"`} is ${expected}.`);
  }
  if (others.length > 0) {
    throw new Error(`Which one? ${[found, ...others].map(({ id, file }) => `${file} (${id})`).join(', ')}`);
  }
  return found;
}

const EITHER = new Intl.ListFormat('en-GB', { type: 'disjunction' });

function describe(progress: UpdateProgress, caps: SendingCaps): string {
  const { file, subject, state, recipients, sent, sending, failed, dropped, reasons, send_at } = progress;
  const waiting = progress.waiting + sending;
  const done = sent + failed + dropped;
  const share = recipients === 0 ? 1 : done / recipients;
  const rows = [
    ['File', file],
    ['State', describeState(progress)],
    ['Begins', showSendTime(Date.parse(send_at))],
    ['Sent', String(sent)],
    ['Waiting', waiting > caps.hourlyCap ? `${waiting}, ${describeSendingTime(waiting, caps)}` : String(waiting)],
    ['Not delivered', String(failed)],
    ...reasons.map(({ reason, count }) => ['Not delivered because', `${count}: ${reason}`]),
    [capitalise(describeDropped(state)), String(dropped)],
  ];
  return `${Math.floor(share * 100)}% of ${formatPeople(recipients)}\n${formatRows([['Subject', subject], ...rows])}`;
}

function describeState({ state, state_reason, outage }: UpdateProgress): string {
  if (outage !== undefined) return `waiting for the mail server: ${outage.reason}`;
  return state_reason === null ? state : `${state}: ${state_reason}`;
}
