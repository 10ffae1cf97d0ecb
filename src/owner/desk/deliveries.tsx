import type { Hono } from 'hono';
import { retryDeliveries } from '#mail/queue/retry-deliveries.ts';
import { listUnsent } from '#mail/queue/unsent.ts';
import type { Delivery } from '#store/schema.ts';
import { capitalise, formatShortMoment } from '../command/words.ts';
import { answerForm } from './answer-form.ts';
import type { Desk } from './desk-types.ts';
import { KINDS } from './labels.ts';
import { ActionButton, type Item, Items } from './parts.tsx';

/** Deliveries that have not gone out, one by one. */
export function addDeliveries(app: Hono, desk: Desk): void {
  app.get('/deliveries', async (context) => {
    const deliveries = await listUnsent(desk.store.db);
    const isEmpty = deliveries.length === 0;
    return context.render(<Items items={deliveries.map(toItem)} />, {
      title: isEmpty ? 'Nothing else waits' : 'Waiting to go out',
      lead: (
        <>
          The emails of an update are on <a href="/updates">its own page</a>.
        </>
      ),
      actions: !isEmpty && <ActionButton kind="filled">Try all again</ActionButton>,
    });
  });
  const retry = async () => {
    const { retried } = await retryDeliveries(desk.store, 'all', Date.now());
    return { notice: `${retried} will be tried again by the running server within seconds.` };
  };
  app.post('/deliveries', answerForm(desk, retry));
}

function toItem({ kind, state, queued_at, due_at, last_error }: Delivery): Item {
  const isGivenUp = state === 'failed';
  const next = isGivenUp ? 'given up' : `next try ${formatShortMoment(due_at)}`;
  const error = last_error === null ? [] : [capitalise(last_error)];
  return {
    dot: isGivenUp ? 'refused' : 'left',
    title: KINDS[kind],
    details: [...error, `Since ${formatShortMoment(queued_at)}, ${next}`],
  };
}
