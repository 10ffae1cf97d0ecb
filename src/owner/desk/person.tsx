import type { Context, Hono } from 'hono';
import { correctPerson } from '#list/correct-person.ts';
import { erase } from '#list/erase.ts';
import { readFollowUps } from '#list/follow-ups.ts';
import { readSubscriber } from '#list/read-subscribers.ts';
import { restore } from '#list/undeliverable.ts';
import { unsubscribe } from '#list/unsubscribe.ts';
import { describeLeftovers } from '../subscribers/people.ts';
import type { Desk } from './desk-types.ts';
import { ActionButton, ActionForm, Dot, Input, Needs, Part, Select, showPage } from './frame.tsx';
import { describeSource, STATES } from './people.tsx';
import { Timeline } from './timeline.tsx';
import { ROLES } from './update-files.ts';
import { capitalise, countInWords, format, formatDate, formatMoment } from './words.ts';

/** @property subjects of the updates that they were sent, by the updates' ids */
export type Person = NonNullable<Awaited<ReturnType<typeof readSubscriber>>> & { subjects: Map<string, string> };

/** One person: what they agreed to, every mail to them, and what they may ask for. */
export function addPerson(app: Hono, desk: Desk): void {
  const path = '/people/:id{[0-9a-f-]{36}}';
  app.get(path, async (context) => {
    const person = await findPerson(desk, context);
    return person === undefined ? context.notFound() : showPerson(context, desk, person);
  });
  app.get(`${path}/export`, async (context) => {
    const person = await findPerson(desk, context);
    if (person === undefined) return context.notFound();
    context.header('Content-Disposition', 'attachment; filename="what-we-keep-of-you.json"');
    const { subjects: _, ...kept } = person;
    return context.json(kept);
  });
  addChanges(app, desk, path);
}

function addChanges(app: Hono, desk: Desk, path: string): void {
  const change = (name: string, act: (person: Person, form: Record<string, string>) => Promise<string>) =>
    app.post(`${path}/${name}`, async (context) => {
      const person = await findPerson(desk, context);
      if (person === undefined) return context.notFound();
      const form = (await context.req.parseBody()) as Record<string, string>;
      try {
        return context.redirect(`/people/${person.id}?${desk.say(await act(person, form))}`, 303);
      } catch (error) {
        return showPerson(context, desk, person, { name, message: (error as Error).message, form });
      }
    });
  change('unsubscribe', async ({ id }) => {
    const isChanged = await unsubscribe(desk.store, id, 'desk', readFollowUps(desk.env), Date.now());
    return isChanged ? 'Unsubscribed. Nothing more is sent to them.' : 'They were unsubscribed already.';
  });
  change('put-back', async ({ id }) => {
    const isBack = await desk.store.transaction((tx) => restore(tx, id, Date.now()));
    return isBack ? 'Put back: your next update goes to them again.' : 'Mail reaches them already.';
  });
  change('correct', async ({ id }, { role = '', source = '' }) => {
    await correctPerson(desk.store, id, { role, first_source: source });
    return 'Corrected.';
  });
  app.post(`${path}/erase`, async (context) => {
    const person = await findPerson(desk, context);
    if (person === undefined) return context.notFound();
    const form = (await context.req.parseBody()) as Record<string, string>;
    if (form.address?.trim().toLowerCase() !== person.address.toLowerCase()) {
      const message = `You typed “${form.address}”, and this person is ${person.address}. Nothing was erased.`;
      return showPerson(context, desk, person, { name: 'erase', message, form });
    }
    const { secret, mailFiles, store } = desk;
    const { left } = await erase(store, person.address, { secret, mailFiles, now: Date.now() });
    const rest = left.length === 0 ? '' : `\n${describeLeftovers(left)}`;
    return context.redirect(`/people?${desk.say(`${person.address} is erased.${rest}`)}`, 303);
  });
}

async function findPerson({ store: { db } }: Desk, context: Context): Promise<Person | undefined> {
  const id = context.req.param('id') ?? '';
  const found = await db.selectFrom('subscribers').select('address').where('id', '=', id).executeTakeFirst();
  const person = found && (await readSubscriber(db, found.address));
  if (person === undefined) return undefined;
  const ids = person.deliveries.flatMap(({ update_id: each }) => each ?? []);
  const updates =
    ids.length === 0 ? [] : await db.selectFrom('updates').select(['id', 'subject']).where('id', 'in', ids).execute();
  return { ...person, subjects: new Map(updates.map((update) => [update.id, update.subject])) };
}

type Mistake = { name: string; message: string; form: Record<string, string> };

function showPerson(context: Context, desk: Desk, person: Person, mistake?: Mistake): Promise<Response> {
  const { id, state, role, created_at, state_changed_at, undeliverable_reason: reason } = person;
  const needs =
    state === 'undeliverable'
      ? [
          {
            title: 'Mail does not reach this person',
            cause: `${capitalise(reason ?? 'no reason was noted')}. If they say that the address works, put them back; your next update goes to them again.`,
            act: (
              <ActionButton desk={desk} action={`/people/${id}/put-back`} className="button filled">
                Put back
              </ActionButton>
            ),
          },
        ]
      : [];
  return showPage(context, desk, {
    title: person.address,
    section: '/people',
    status: mistake === undefined ? 200 : 400,
    eyebrow: <a href="/people">People</a>,
    lead: undefined,
    body: (
      <>
        <p className="facts under">
          <span className="state">
            <Dot kind={STATES[state].dot} /> {STATES[state].label}
            {state !== 'subscribed' && ` since ${formatDate(state_changed_at)}`}
          </span>
          <span>{role || 'Role not given'}</span>
          <span>On the list since {formatDate(created_at)}</span>
        </p>
        <Needs needs={needs} />
        <div className="side">
          <div>
            <Agreements person={person} />
            <Timeline person={person} />
          </div>
          <Acts desk={desk} person={person} mistake={mistake} />
        </div>
      </>
    ),
  });
}

function Agreements({ person }: { person: Person }) {
  const given = person.consents.filter(({ event }) => event === 'given').toReversed();
  return (
    <Part title="What they agreed to">
      {given.length === 0 && <p>No sentence is kept of this person.</p>}
      {given.map(({ at, form, source, wording, wording_version }) => (
        <div className="agreed" key={at}>
          <Dot kind="chosen" />
          <div>
            <blockquote>“{wording}”</blockquote>
            <p>
              Ticked on {format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }, at)},{' '}
              {formatMoment(at).slice(-5)}, {form === null ? 'as you imported them' : `in the ${form} form`}. They came
              from <code>{source}</code>.
            </p>
            <p className="quiet">
              These are the words as they were on that day, kept as {wording_version}. Nobody can change them.
            </p>
          </div>
        </div>
      ))}
    </Part>
  );
}

function Acts({ desk, person, mistake }: { desk: Desk; person: Person; mistake: Mistake | undefined }) {
  const path = `/people/${person.id}`;
  const wrong = (name: string) => (mistake?.name === name ? mistake.message : undefined);
  return (
    <Part title="What you can do">
      <section className="act">
        <h3>They ask what you keep of them</h3>
        <p>One file with everything on this page. You have one month to answer.</p>
        <a className="button" href={`${path}/export`}>
          Export this person
        </a>
      </section>
      <section className="act">
        <h3>Their role or source is wrong</h3>
        <p>Another address is another consent: ask them to sign up with it.</p>
        <details open={wrong('correct') !== undefined}>
          <summary>Correct</summary>
          <CorrectForm desk={desk} person={person} error={wrong('correct')} />
        </details>
      </section>
      {person.state !== 'unsubscribed' && (
        <section className="act">
          <h3>They want no more mail</h3>
          <p>Their record stays, so that nobody adds them again.</p>
          <ActionButton desk={desk} action={`${path}/unsubscribe`}>
            Unsubscribe
          </ActionButton>
        </section>
      )}
      <EraseForm desk={desk} person={person} mistake={mistake?.name === 'erase' ? mistake : undefined} />
    </Part>
  );
}

function CorrectForm({ desk, person, error }: { desk: Desk; person: Person; error: string | undefined }) {
  return (
    <ActionForm desk={desk} action={`/people/${person.id}/correct`}>
      <Select id="role" label="Role" options={ROLE_CHOICES} defaultValue={person.role} />
      <Input
        id="source"
        label="Came from"
        error={error}
        hint={describeSource(person.first_source)}
        defaultValue={person.first_source}
        required
        maxLength={200}
      />
      <button className="button" type="submit">
        Correct
      </button>
    </ActionForm>
  );
}

const ROLE_CHOICES = ROLES.map((role) => [role, role || 'Role not given'] as const);

function EraseForm({ desk, person, mistake }: { desk: Desk; person: Person; mistake: Mistake | undefined }) {
  const mails = person.deliveries.length;
  return (
    <section className="act">
      <h3>They ask to be erased</h3>
      <p>
        <b>Goes:</b> the address, the role, the consent, {countInWords(mails)} {mails === 1 ? 'mail' : 'mails'}
        {desk.env.SHEET_URL !== undefined && ', their rows of the sheet'}.
      </p>
      <p>
        <b>Stays:</b> a code made from the address, so that an old list cannot bring them back.
      </p>
      <p>
        <b>Yours to delete:</b> notices in your mailbox, files you exported, older backups.
      </p>
      <ActionForm desk={desk} action={`/people/${person.id}/erase`}>
        <Input
          id="address"
          label="Type the address to erase it"
          error={mistake?.message}
          required
          defaultValue={mistake?.form.address}
        />
        <button className="button danger" type="submit">
          Erase for good
        </button>
      </ActionForm>
    </section>
  );
}
