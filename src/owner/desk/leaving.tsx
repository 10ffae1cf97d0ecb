import type { Hono } from 'hono';
import { checkConfirmed, describeReason, findLeaving, type Leaving, planPurge, purge } from '#list/purge.ts';
import { describeLeftovers } from '../subscribers/people.ts';
import { answerForm, type Typed } from './answer-form.ts';
import type { Desk } from './desk-types.ts';
import { Button, Field, Form, Part, Table } from './parts.tsx';
import { capitalise, formatDate, people, removeSeparators } from './words.ts';
import { toOutboxPath } from '#store/outbox.ts';

/** People whose time on the list is over, where the clock or their number is unusual. */
export function addLeaving(app: Hono, desk: Desk): void {
  app.get('/people/leaving', async (context) => {
    const { leaving: count, doubt } = await planPurge(desk.store, Date.now());
    const portion = await findLeaving(desk.store.db, Date.now()).next();
    const shown: Leaving[] = portion.done ? [] : portion.value.slice(0, MAX_SHOWN);
    return context.render(
      count > 0 && (
        <>
          <Form action="/people/leaving">
            <p>
              {doubt === undefined
                ? 'The server erases them by itself, every day.'
                : `${capitalise(doubt)}. If the clock is right and they should go:`}
            </p>
            <Field id="confirmed" label={`Type ${count} to erase ${people(count)}`} inputMode="numeric" />
            <Button kind="danger">Erase for good</Button>
          </Form>
          <Part title={count > shown.length ? `The first ${shown.length}` : 'Who'}>
            <Table
              className="people"
              columns={['Address', 'Why', 'Last did something']}
              right={1}
              rows={shown.map((leaving) => [
                <a href={`/people/${leaving.id}`}>{leaving.address}</a>,
                capitalise(describeReason(leaving)),
                formatDate(leaving.engaged_at),
              ])}
            />
          </Part>
        </>
      ),
      {
        title:
          count === 0
            ? 'Nobody is due to be erased'
            : `${people(count)} ${count === 1 ? 'is' : 'are'} due to be erased`,
        lead: 'Your privacy policy keeps people for two years after they last did something, and sign-ups that nobody confirms for 30 days.',
      },
    );
  });
  const eraseConfirmed = async ({ confirmed = '' }: Typed) => {
    const { env, store } = desk;
    const confirm = (leaving: number) => checkConfirmed(leaving, removeSeparators(confirmed));
    const { erased, remaining } = await purge(store, { outbox: toOutboxPath(env), now: Date.now(), confirm });
    return { to: '/people', notice: `${people(erased)} erased.\n${describeLeftovers(remaining)}`.trim() };
  };
  app.post('/people/leaving', answerForm(desk, eraseConfirmed, { field: 'confirmed' }));
}

const MAX_SHOWN = 50;
