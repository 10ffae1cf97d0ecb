import type { Hono } from 'hono';
import { planPurge, purge } from '#list/purge.ts';
import { listUnsent } from '#mail/queue/unsent.ts';
import { retryDeliveries } from '#mail/queue/retry-deliveries.ts';
import { describeLeftovers } from '../subscribers/people.ts';
import type { Desk } from './desk-types.ts';
import { ActionButton, ActionForm, Dot, Input, showPage, Table } from './frame.tsx';
import { KINDS } from './today.tsx';
import { capitalise, formatShortMoment, people } from './words.ts';

/** Deliveries that have not gone out, one by one. */
export function addDeliveries(app: Hono, desk: Desk): void {
  app.get('/deliveries', async (context) => {
    const deliveries = await listUnsent(desk.store.db);
    return showPage(context, desk, {
      title: deliveries.length === 0 ? 'Nothing waits' : 'Waiting to go out',
      section: '/',
      eyebrow: <a href="/">Today</a>,
      lead: 'The people of an update are on its own page.',
      actions: deliveries.length > 0 && <Retry desk={desk} id="all" label="Try all again" />,
      body: deliveries.length > 0 && (
        <Table heads={['What, and why', 'Since', { hidden: 'Try again' }]}>
          {deliveries.map(({ id, kind, state, queued_at, due_at, last_error }) => (
            <tr key={id}>
              <td>
                <span className="state">
                  <Dot kind={state === 'failed' ? 'refused' : 'left'} /> {KINDS[kind].replace(/s( |$)/, '$1')}
                </span>
                <small>
                  {last_error !== null && `${capitalise(last_error)}. `}
                  {state === 'failed' ? 'Given up' : `Next try ${formatShortMoment(due_at)}`}
                </small>
              </td>
              <td>{formatShortMoment(queued_at)}</td>
              <td className="number">
                <Retry desk={desk} id={id} label="Try again" />
              </td>
            </tr>
          ))}
        </Table>
      ),
    });
  });
  app.post('/deliveries', async (context) => {
    const { id = '' } = (await context.req.parseBody()) as { id?: string };
    const { retried } = await retryDeliveries(desk.store, id, Date.now());
    return context.redirect(
      `/deliveries?${desk.say(`${retried} will be tried again by the running server within seconds.`)}`,
      303,
    );
  });
  addLeaving(app, desk);
}

function Retry({ desk, id, label }: { desk: Desk; id: string; label: string }) {
  return (
    <ActionButton desk={desk} action="/deliveries" fields={{ id }}>
      {label}
    </ActionButton>
  );
}

/** People whose time on the list is over, where the clock or their number is unusual. */
function addLeaving(app: Hono, desk: Desk): void {
  app.get('/people/leaving', async (context) => {
    const { leaving: count, doubt } = await planPurge(desk.store, desk.secret, Date.now());
    return showPage(context, desk, {
      title: count === 0 ? 'Nobody’s time is over' : `The time of ${people(count)} is over`,
      section: '/people',
      eyebrow: <a href="/people">People</a>,
      lead: 'Your privacy policy keeps people for two years after they last did something, and who has not confirmed for 30 days.',
      body:
        count === 0 ? null : (
          <ActionForm desk={desk} action="/people/leaving" className="narrow">
            <p>
              {doubt === undefined
                ? 'The server erases them by itself, daily.'
                : `${capitalise(doubt)}. If the clock is right and they should go:`}
            </p>
            <Input id="confirmed" label={`Type ${count} to erase ${people(count)}`} inputMode="numeric" required />
            <button className="button danger" type="submit">
              Erase for good
            </button>
          </ActionForm>
        ),
    });
  });
  app.post('/people/leaving', async (context) => {
    const { confirmed = '' } = (await context.req.parseBody()) as { confirmed?: string };
    const { secret, mailFiles, store } = desk;
    const { gone, left } = await purge(store, { secret, mailFiles, now: Date.now(), confirmed: Number(confirmed) });
    return context.redirect(`/people?${desk.say(`${people(gone)} erased.\n${describeLeftovers(left)}`.trim())}`, 303);
  });
}
