import { type Answer, print, write } from '../command/print.ts';
import { table } from '../command/table.ts';
import type { Opened } from '../command/with-store.ts';
import type { SentUpdate } from '#store/schema.ts';
import { showSendTime } from '#mail/updates/send-time.ts';
import {
  cancelUpdate,
  listUpdates,
  pauseUpdate,
  readProgress,
  resumeUpdate,
  type UpdateProgress,
} from '#mail/updates/update-states.ts';
import { people } from './send.ts';

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
  if (json) return print(withoutBody(progress));
  write(describe(progress, env.MAIL_HOURLY_CAP));
}

export async function pause({ store }: Opened, which: string | undefined, { json }: Answer): Promise<void> {
  const update = await findUpdate({ store }, which, ['scheduled', 'sending']);
  await pauseUpdate(store.db, update.id, 'the owner paused it');
  if (json) return print({ id: update.id, state: 'paused' });
  write(`${update.file} is paused. To go on: npm run updates -- resume\n`);
}

export async function resume({ store, env }: Opened, which: string | undefined, { json }: Answer): Promise<void> {
  const update = await findUpdate({ store }, which, ['paused']);
  await resumeUpdate(store, update.id, env.MAIL_HOURLY_CAP, Date.now());
  if (json) return print({ id: update.id, state: 'sending' });
  write(`${update.file} goes on. Nobody gets it twice.\n`);
}

export async function cancel({ store }: Opened, which: string | undefined, { json }: Answer): Promise<void> {
  const update = await findUpdate({ store }, which, ['scheduled', 'sending', 'paused']);
  await cancelUpdate(store, update.id, Date.now());
  const { sent } = await readProgress(store.db, update);
  if (json) return print({ id: update.id, state: 'cancelled', sent });
  write(`${update.file} is cancelled. ${people(sent)} had it already; nobody else gets it.\n`);
}

const ALL: SentUpdate['state'][] = ['scheduled', 'sending', 'paused', 'sent', 'cancelled', 'missed'];

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
  if (found === undefined) throw new Error(`No update${which === undefined ? '' : ` "${which}"`} is ${or(states)}.`);
  if (others.length > 0) {
    throw new Error(`Which one? ${[found, ...others].map(({ id, file }) => `${file} (${id})`).join(', ')}`);
  }
  return found;
}

function describe(progress: UpdateProgress, hourlyCap: number): string {
  const { file, subject, state, state_reason, recipients, sent, waiting, failed, dropped, send_at } = progress;
  const done = sent + failed + dropped;
  const share = recipients === 0 ? 1 : done / recipients;
  const bar = '='.repeat(Math.round(share * WIDTH)).padEnd(WIDTH);
  const rows = [
    ['File', file],
    ['State', state_reason === null ? state : `${state}: ${state_reason}`],
    ['Begins', showSendTime(Date.parse(send_at))],
    ['Sent', String(sent)],
    ['Waiting', waiting > hourlyCap ? `${waiting}, about ${Math.ceil(waiting / hourlyCap)} hours` : String(waiting)],
    ['Refused', String(failed)],
    ['Left before their turn', String(dropped)],
  ];
  return `[${bar}] ${Math.floor(share * 100)}% of ${people(recipients)}\n${table(['Subject', subject], rows)}`;
}

const WIDTH = 30;

function withoutBody<T extends SentUpdate>({ html: _html, text: _text, ...rest }: T): Omit<T, 'html' | 'text'> {
  return rest;
}

function or(states: string[]): string {
  return states.length === 1 ? (states[0] ?? '') : `${states.slice(0, -1).join(', ')} or ${states.at(-1)}`;
}
