import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { sendConfirmationAgain } from '#newsletter/subscribers/ask-again.ts';
import { askNewAddress } from '#newsletter/subscribers/new-address.ts';
import { correctPerson } from '#newsletter/subscribers/correct-person.ts';
import { normaliseForSearch } from '#newsletter/subscribers/email.ts';
import { erase, FILES_REMAIN } from '#newsletter/subscribers/erase.ts';
import { readSubscriber } from '#newsletter/subscribers/read-subscribers.ts';
import { restore } from '#newsletter/bounces/undeliverable.ts';
import { FROM_DESK, isUndo, isUndoable, undoUnsubscribe } from '#newsletter/subscribers/undo-unsubscribe.ts';
import { unsubscribe } from '#newsletter/subscribers/unsubscribe.ts';
import { toOutboxPath } from '#newsletter/database/outbox.ts';
import { capitalise, format, formatClock, formatDate, isDay } from '#newsletter/format.ts';
import { PersonActions } from './person-forms.tsx';
import { type Action, createAction, FieldError, handleActions } from './handle-forms.ts';
import type { Desk } from './desk-types.ts';
import { describeRole, STATES } from './describe.ts';
import { Tasks } from './tasks.tsx';
import { ActionButton, Dot, Panel, State } from './ui.tsx';
import { type Person, readMoments, Timeline } from './timeline.tsx';

type PersonDesk = Pick<Desk, 'store' | 'env' | 'secret' | 'results' | 'log'>;

/** Adds a person's page: what they agreed to, every email to them, and what the owner can do for them. */
export function addPerson(app: Hono, desk: PersonDesk): void {
  app.get(PATH, async (context) => {
    const person = await findPerson(desk, context);
    if (person === undefined) return context.notFound();
    const moments = await readMoments(desk.store.db, person);
    return context.render(
      <>
        <Facts person={person} />
        {person.state === 'undeliverable' && <Undeliverable person={person} />}
        {context.req.query('left') === 'now' && isUndoable(person, Date.now()) && (
          <ActionButton action="undo">Undo: keep them on the list</ActionButton>
        )}
        <div className="side">
          <div>
            <Agreements person={person} />
            <Timeline moments={moments} />
          </div>
          <PersonActions person={person} hasSheet={desk.env.SHEET_URL !== undefined} />
        </div>
      </>,
      { title: person.email },
    );
  });
  app.get(`${PATH}/export`, async (context) => {
    const person = await findPerson(desk, context);
    if (person === undefined) return context.notFound();
    context.header('Content-Disposition', 'attachment; filename="what-we-hold-about-you.json"');
    return context.json(person);
  });
  app.post(PATH, handleActions(desk, createPersonActions(desk)));
}

const PATH = '/desk/people/:id{[0-9a-f-]{36}}';

async function findPerson({ store: { db } }: PersonDesk, context: Context): Promise<Person | undefined> {
  const id = context.req.param('id') ?? '';
  const found = await db.selectFrom('subscribers').selectAll().where('id', '=', id).executeTakeFirst();
  return found && readSubscriber(db, found);
}

function createPersonActions(desk: PersonDesk): Record<string, Action> {
  const { store, env, secret } = desk;
  const withPerson = <Values,>(perform: (person: Person, fields: Values) => ReturnType<Action>) => {
    return async (fields: Values, context: Context) => {
      const person = await findPerson(desk, context);
      return person && perform(person, fields);
    };
  };
  return {
    unsubscribe: withPerson(async ({ id, state }) => {
      const isChanged = await unsubscribe(store, id, FROM_DESK, env, Date.now());
      if (!isChanged) return { notice: 'They were already unsubscribed.' };
      const to = state === 'subscribed' ? `/desk/people/${id}?left=now` : `/desk/people/${id}`;
      return { to, notice: 'Unsubscribed. They won’t be sent anything more.' };
    }),
    undo: withPerson(async ({ id }) => {
      const isBack = await undoUnsubscribe(store, id, env, Date.now());
      return { notice: isBack ? 'They are on the list again.' : 'This can’t be undone any more.' };
    }),
    resubscribe: withPerson(async ({ id }) => {
      const isBack = await store.transaction((tx) => restore(tx, id, Date.now()));
      return {
        notice: isBack
          ? 'Resubscribed. They’ll get your updates again.'
          : 'They are no longer marked as undeliverable. Nothing was changed.',
      };
    }),
    'confirm-again': withPerson(async ({ id }) => {
      const isSent = await sendConfirmationAgain(store, id, Date.now());
      return {
        notice: isSent
          ? 'The confirmation email is being sent again.'
          : 'They have confirmed or unsubscribed in the meantime.',
      };
    }),
    'new-address': createAction(
      z.object({ newAddress: z.string() }),
      withPerson(async ({ id }, { newAddress }) => {
        const email = await askNewAddress(store, id, { typed: newAddress, secret }, Date.now());
        return {
          notice: `${email} will get an email with a button. Once they press it, this address replaces the old one.`,
        };
      }),
      'newAddress',
    ),
    correct: createAction(
      z.object({ role: z.string(), source: z.string() }),
      withPerson(async ({ id }, { role, source }) => {
        await correctPerson(store, id, { role, first_source: source });
        return { notice: 'Corrected.' };
      }),
      'source',
    ),
    erase: createAction(
      z.object({ address: z.string() }),
      withPerson((person, { address }) => eraseIfTyped(desk, person, address)),
    ),
  };
}

/** @param typed must be the person's address, because erasing can't be undone */
async function eraseIfTyped({ store, env, secret }: PersonDesk, person: Person, typed: string) {
  if (normaliseForSearch(typed) !== person.normalised_email) {
    const message = `You typed “${typed}”, but this person’s address is ${person.email}. Nothing was erased.`;
    throw new FieldError('address', message);
  }
  const outbox = toOutboxPath(env);
  const { isFound, filesRemain } = await erase(store, person.email, { secret, outbox, now: Date.now() });
  if (!isFound) throw new Error(`${person.email} is no longer on the list. Refresh the list of people.`);
  return { to: '/desk/people', notice: `${person.email} has been erased.${filesRemain ? `\n${FILES_REMAIN}` : ''}` };
}

type UndeliverableProps = { person: Person };

function Undeliverable({ person: { undeliverable_reason: reason } }: UndeliverableProps) {
  const cause = `${capitalise(reason ?? 'no reason was recorded')}. If they say the address works, resubscribe them: they’ll get your updates again.`;
  const action = (
    <ActionButton kind="filled" action="resubscribe">
      Resubscribe
    </ActionButton>
  );
  return <Tasks tasks={[{ title: 'Emails aren’t reaching this person', cause, action }]} />;
}

type FactsProps = { person: Person };

function Facts({ person: { state, role, created_at, state_changed_at } }: FactsProps) {
  return (
    <p className="facts line">
      <State dot={STATES[state].dot}>
        {STATES[state].label}
        {state !== 'subscribed' && ` since ${formatDate(state_changed_at)}`}
      </State>
      <span>{describeRole(role)}</span>
      <span>In your records since {formatDate(created_at)}</span>
    </p>
  );
}

const EVIDENCE = { 'ticked box': 'Ticked', 'vouched for by the sender': 'Vouched for by the sender' };

type AgreementsProps = { person: Person };

function Agreements({ person }: AgreementsProps) {
  const given = person.consents.filter(({ event, source }) => event === 'given' && !isUndo(source)).toReversed();
  return (
    <Panel title="What they agreed to">
      {given.length === 0 && <p>There is no consent on record for this person.</p>}
      {given.map(({ at, form, source, evidence, wording, wording_version }) => (
        <div className="agreed" key={at}>
          <Dot kind="chosen" />
          <div>
            {wording === null ? (
              <p>We have no record of the wording they saw.</p>
            ) : (
              <blockquote>“{wording}”</blockquote>
            )}
            <p>
              {evidence === null ? 'Agreed' : EVIDENCE[evidence]} on{' '}
              {format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }, at)},{' '}
              {!isDay(at) && `${formatClock(at)}, `}
              {form === null ? 'according to your import' : `in the ${form} form`}.{' '}
              {source !== form && (
                <>
                  They came from <code>{source}</code>.
                </>
              )}
            </p>
            {wording !== null && (
              <p className="quiet">
                {evidence === 'vouched for by the sender'
                  ? `This was the form’s wording on that day (version ${wording_version}). There is no record that it was shown.`
                  : `This is the exact wording on that day (version ${wording_version}). It can’t be changed.`}
              </p>
            )}
          </div>
        </div>
      ))}
    </Panel>
  );
}
