import type { Hono } from 'hono';
import { retryUnsent } from '#newsletter/deliveries/queue/retry-deliveries.ts';
import { listUnsent } from '#newsletter/deliveries/queue/unsent.ts';
import type { Delivery } from '#newsletter/database/schema.ts';
import { capitalise, formatCount, formatShortMoment } from '#newsletter/format.ts';
import { type FormDesk, handleAction } from './handle-forms.ts';
import type { Desk } from './desk-types.ts';
import { KINDS } from './describe.ts';
import { ActionButton, type Item, Items } from './ui.tsx';

/** Lists the deliveries that have not gone out yet. */
export function addDeliveries(app: Hono, desk: FormDesk & Pick<Desk, 'store'>): void {
  app.get('/desk/deliveries', async (context) => {
    const { deliveries, count } = await listUnsent(desk.store.db);
    const more = count - deliveries.length;
    return context.render(
      <>
        <Items items={deliveries.map(toItem)} />
        {more > 0 && <p>and {formatCount(more)} more</p>}
      </>,
      {
        title: count === 0 ? 'Nothing else is waiting' : 'Not sent yet',
        lead: (
          <>
            Emails that belong to an update are listed with <a href="/desk/updates">that update</a>.
          </>
        ),
        actions: count > 0 && <ActionButton kind="filled">Retry all</ActionButton>,
      },
    );
  });
  const retry = async () => {
    const retried = await retryUnsent(desk.store, Date.now());
    if (retried === 0) return { notice: 'There is nothing to retry any more.' };
    return { notice: `The server will retry ${formatCount(retried)} as soon as your sending limits allow.` };
  };
  app.post('/desk/deliveries', handleAction(desk, retry));
}

function toItem({ kind, state, queued_at, due_at, last_error }: Delivery): Item {
  const isGivenUp = state === 'failed';
  const next = isGivenUp ? 'given up' : `next attempt ${formatShortMoment(due_at)}`;
  const error = last_error === null ? [] : [capitalise(last_error)];
  return {
    dot: isGivenUp ? 'rejected' : 'left',
    title: KINDS[kind],
    details: [...error, `Queued ${formatShortMoment(queued_at)}, ${next}`],
  };
}
