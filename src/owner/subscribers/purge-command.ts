import {
  askToConfirm,
  checkConfirmed,
  describeReason,
  findLeaving,
  type Leaving,
  planPurge,
  purge,
} from '#list/purge.ts';
import { nameOption } from '../command/name-option.ts';
import { printList } from '../command/long-list.ts';
import { answer, type Answer, formatTime, write } from '../command/print.ts';
import type { Opened } from '../command/with-store.ts';
import { toOutboxPath } from '#store/outbox.ts';

export async function purgeNow(
  opened: Opened,
  { dryRun, confirm: confirmed, json }: Answer & { dryRun?: boolean; confirm?: number },
): Promise<void> {
  const now = Date.now();
  if (dryRun) return showLeaving(opened, now, json);
  const { env, store } = opened;
  const purged: ReturnType<typeof toData>[] = [];
  const outcome = await purge(store, {
    outbox: toOutboxPath(env),
    now,
    confirm:
      confirmed === undefined
        ? undefined
        : (leaving) => nameOption('--confirm', () => checkConfirmed(leaving, String(confirmed))),
    onErased: (some) => {
      if (json) purged.push(...some.map(toData));
    },
  });
  if (outcome.doubt !== undefined) {
    throw new Error(`${outcome.erased} erased. ${askToConfirm(outcome.doubt, outcome.leaving)}`);
  }
  answer({ json }, purged, `${outcome.erased} erased.\n`);
}

async function showLeaving(opened: Opened, now: number, json: boolean | undefined): Promise<void> {
  await printList(readLeaving(opened, now), {
    json,
    headings: ['Address', 'Last engagement', 'Reason'],
    toCells: ({ address, engaged_at, reason }) => [address, formatTime(engaged_at), reason],
    empty: '',
  });
  if (json) return;
  const { leaving, doubt } = await planPurge(opened.store, now);
  write(`${leaving} would be erased.${doubt ? ` ${askToConfirm(doubt, leaving)}` : ''}\n`);
}

async function* readLeaving({ store }: Opened, now: number) {
  for await (const people of findLeaving(store.db, now)) yield people.map(toData);
}

function toData(leaving: Leaving) {
  const { address, engaged_at } = leaving;
  return { address, engaged_at, reason: describeReason(leaving) };
}
