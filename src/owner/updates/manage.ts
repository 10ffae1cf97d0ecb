import { type Answer, print, write } from '../command/print.ts';
import { table } from '../command/table.ts';
import type { Opened } from '../command/with-store.ts';
import type { SentUpdate } from '#store/schema.ts';
import { showSendTime } from '#mail/updates/send-time.ts';
import { type SendingCaps, sendingTimeMs } from '#mail/updates/sending-time.ts';
import { findTakenBack, type TakenBack } from '#mail/updates/update-results.ts';
import { describeWaiting } from '#mail/updates/waiting-reason.ts';
import {
  cancelUpdate,
  listUpdates,
  pauseUpdate,
  readProgress,
  resumeUpdate,
  type UpdateProgress,
} from '#mail/updates/update-states.ts';
import { readCaps, duration, people } from './send.ts';

/** Every update, the newest first. */
export async function list({ store }: Opened, { json }: Answer): Promise<void> {
  const updates = await listUpdates(store.db);
  if (json) return print(updates.map(withoutBody));
  if (updates.length === 0) return write('No update has been sent yet.\n');
  write(
    table(
      ['Id', 'File', 'State', 'To', 'Begins', 'Subject'],
      updates.map(({ id, file, state, recipients, send_at, subject }) => [
        id,
        file,
        state,
        String(recipients),
        showSendTime(Date.parse(send_at)),
        subject,
      ]),
    ),
  );
}

/** How far one update is, or the last one. */
export async function status({ store, env }: Opened, which: string | undefined, { json }: Answer): Promise<void> {
  const [update] = which === undefined ? await listUpdates(store.db) : [await findUpdate({ store }, which, ALL)];
  if (update === undefined) throw new Error('No update has been sent yet.');
  const progress = await readProgress(store.db, update);
  const takenBack = await findTakenBack(store.db, update.id);
  if (json) return print({ ...withoutBody(progress), takenBack });
  const reason = await describeWaiting(store.db, update, readCaps(env));
  write(describe(progress, readCaps(env)));
  if (reason !== undefined) write(`Why it waits: ${reason}.\n`);
  if (takenBack.count > 0 && update.state !== 'cancelled') write(describeTakenBack(update.id, takenBack));
}

export async function pause({ store }: Opened, which: string | undefined, { json }: Answer): Promise<void> {
  const update = await findUpdate({ store }, which, ['queueing', 'scheduled', 'sending']);
  if (!(await pauseUpdate(store.db, update.id, 'the owner paused it'))) {
    throw new Error(describeConflict(update.file, await readState(store, update.id)));
  }
  if (json) return print({ id: update.id, state: 'paused' });
  write(`${update.file} is paused. To go on: npm run updates -- resume\n`);
}

export async function resume({ store, env }: Opened, which: string | undefined, { json }: Answer): Promise<void> {
  const update = await findUpdate({ store }, which, ['paused']);
  const resumed = await resumeUpdate(store, update.id, readCaps(env), Date.now());
  if (!resumed?.isResumed) throw new Error(describeConflict(update.file, resumed?.state));
  if (json) return print({ id: update.id, state: resumed.state });
  const goesOn =
    resumed.state === 'scheduled' ? `is scheduled for ${showSendTime(Date.parse(update.send_at))}` : 'goes on';
  write(`${update.file} ${goesOn}. Nobody gets it twice.\n`);
}

export async function cancel({ store }: Opened, which: string | undefined, { json }: Answer): Promise<void> {
  const update = await findUpdate({ store }, which, ['queueing', 'scheduled', 'sending', 'paused']);
  const cancelled = await cancelUpdate(store, update.id, Date.now());
  if (cancelled === undefined) throw new Error(describeConflict(update.file, await readState(store, update.id)));
  const { sent, sending, dropped } = cancelled;
  if (json) return print({ id: update.id, state: 'cancelled', sent, sending, dropped });
  const onTheWay = sending > 0 ? ` It is on its way to ${people(sending)}.` : '';
  write(
    `${update.file} is cancelled. ${people(sent)} had it already.${onTheWay} ${people(dropped)} will not get it.\n`,
  );
}

/** Another command was faster. */
function describeConflict(file: string, state: SentUpdate['state'] | undefined): string {
  return `${file} is ${state ?? 'gone'} by now: another command was faster. Nothing was changed.`;
}

async function readState({ db }: Opened['store'], id: string): Promise<SentUpdate['state'] | undefined> {
  return (await db.selectFrom('updates').select('state').where('id', '=', id).executeTakeFirst())?.state;
}

const ALL: SentUpdate['state'][] = ['queueing', 'scheduled', 'sending', 'paused', 'sent', 'cancelled', 'missed'];

/**
 * @param which an id, the beginning of one, or a file's name; left out where only one update is in such a state
 * @throws when there is none, or more than one
 */
async function findUpdate(
  { store }: Pick<Opened, 'store'>,
  which: string | undefined,
  states: SentUpdate['state'][],
): Promise<SentUpdate> {
  const updates = (await listUpdates(store.db)).filter(({ state }) => states.includes(state));
  const named = (update: SentUpdate) =>
    which === undefined || update.id.startsWith(which) || update.file === which || update.file === `${which}.md`;
  const [found, ...others] = updates.filter(named);
  if (found === undefined)
    throw new Error(
      `No update${which === undefined ? '' : ` "${which}"`} is ${joinWithOr(states.filter((state) => state !== 'queueing'))}.`,
    );
  if (others.length > 0) {
    throw new Error(`Which one? ${[found, ...others].map(({ id, file }) => `${file} (${id})`).join(', ')}`);
  }
  return found;
}

function describe(progress: UpdateProgress, caps: SendingCaps): string {
  const { file, subject, state, state_reason, recipients, sent, sending, failed, dropped, reasons, send_at } = progress;
  const waiting = progress.waiting + sending;
  const done = sent + failed + dropped;
  const share = recipients === 0 ? 1 : done / recipients;
  const bar = '='.repeat(Math.round(share * WIDTH)).padEnd(WIDTH);
  const rows = [
    ['File', file],
    ['State', state_reason === null ? state : `${state}: ${state_reason}`],
    ['Begins', showSendTime(Date.parse(send_at))],
    ['Sent', String(sent)],
    ['Waiting', waiting > caps.hourlyCap ? `${waiting}, ${duration(sendingTimeMs(waiting, caps))}` : String(waiting)],
    ['Refused', String(failed)],
    ...reasons.map(({ reason, count }) => ['', `${count}: ${reason}`]),
    ['Left before their turn', String(dropped)],
  ];
  return `[${bar}] ${Math.floor(share * 100)}% of ${people(recipients)}\n${table(['Subject', subject], rows)}`;
}

const WIDTH = 30;

function describeTakenBack(id: string, { people: readers, count }: TakenBack): string {
  const more = count > readers.length ? [`and ${count - readers.length} more`] : [];
  return `Their mailboxes were refused when the update paused, and they are still subscribed (${people(count)}):
${[...readers.map(({ address }) => address), ...more].map((line) => `  ${line}\n`).join('')}To send it to them as well: npm run subscribers -- retry ${id}
`;
}

function withoutBody<T extends SentUpdate>({ html: _html, text: _text, ...rest }: T): Omit<T, 'html' | 'text'> {
  return rest;
}

function joinWithOr(states: string[]): string {
  return states.length === 1 ? (states[0] ?? '') : `${states.slice(0, -1).join(', ')} or ${states.at(-1)}`;
}
