import type { Hono } from 'hono';
import { retryDeliveries } from '#mail/queue/retry-deliveries.ts';
import { listUnsent } from '#mail/queue/unsent.ts';
import type { Delivery } from '#store/schema.ts';
import { answerForm, type Typed } from './answer-form.ts';
import type { Desk } from './desk-types.ts';
import { ActionButton, State, Table } from './parts.tsx';
import { KINDS } from './today.tsx';
import { capitalise, formatShortMoment } from './words.ts';

/** Deliveries that have not gone out, one by one. */
export function addDeliveries(app: Hono, desk: Desk): void {
  app.get('/deliveries', async (context) => {
    const deliveries = await listUnsent(desk.store.db);
    const isEmpty = deliveries.length === 0;
    return context.render(
      <Table
        columns={['What, and why', 'Try again']}
        right={1}
        rows={deliveries.map((delivery) => [
          <Reason delivery={delivery} />,
          <Retry id={delivery.id} words="Try again" />,
        ])}
      />,
      {
        title: isEmpty ? 'Nothing else waits' : 'Waiting to go out',
        lead: (
          <>
            The emails of an update are on <a href="/updates">its own page</a>.
          </>
        ),
        actions: !isEmpty && <Retry id="all" words="Try all again" />,
      },
    );
  });
  const retry = async ({ id = '' }: Typed) => {
    const { retried } = await retryDeliveries(desk.store, id, Date.now());
    return { to: '/deliveries', notice: `${retried} will be tried again by the running server within seconds.` };
  };
  app.post('/deliveries', answerForm(desk, retry));
}

function Reason({ delivery: { kind, state, queued_at, due_at, last_error } }: { delivery: Delivery }) {
  const isGivenUp = state === 'failed';
  return (
    <>
      <State dot={isGivenUp ? 'refused' : 'left'}>{KINDS[kind]}</State>
      <small>
        {last_error !== null && `${capitalise(last_error)}. `}
        Since {formatShortMoment(queued_at)}, {isGivenUp ? 'given up' : `next try ${formatShortMoment(due_at)}`}
      </small>
    </>
  );
}

function Retry({ id, words }: { id: string; words: string }) {
  return (
    <ActionButton action="/deliveries" fields={{ id }}>
      {words}
    </ActionButton>
  );
}
