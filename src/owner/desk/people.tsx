import type { Hono } from 'hono';
import { OPTIONAL_FIELDS } from '#shared/sign-up-fields.ts';
import { SUBSCRIBER_STATES, type SubscriberState } from '#list/read-subscribers.ts';
import { PEOPLE_PER_PAGE, type PeopleQuery, searchPeople } from '#list/search-people.ts';
import type { Subscriber } from '#store/schema.ts';
import type { Desk } from './desk-types.ts';
import { Dot, Input, Select, showPage, Table } from './frame.tsx';
import { formatDate } from './words.ts';

/** Everybody, searched and filtered, 50 at a time. */
export function addPeople(app: Hono, desk: Desk): void {
  app.get('/people', async (context) => {
    const asked = context.req.query();
    const query = readQuery(asked);
    const page = Math.max(1, Math.floor(Number(asked.page)) || 1);
    const { people, byState } = await searchPeople(desk.store.db, query, page);
    const everybody = Object.values(byState).reduce((sum, count) => sum + count, 0);
    const total = query.state === undefined ? everybody : byState[query.state];
    return showPage(context, desk, {
      title: 'People',
      section: '/people',
      actions: (
        <>
          <a className="button" href="/people/import">
            Add people from a file
          </a>
          <a className="button" href="/people/export">
            Export
          </a>
        </>
      ),
      body: (
        <>
          <Filters asked={asked} />
          <nav className="tabs" aria-label="State">
            {[undefined, ...SUBSCRIBER_STATES].map((state) => (
              <a
                key={state ?? 'all'}
                href={buildAddress(asked, { state, page: undefined })}
                aria-current={state === query.state ? 'true' : undefined}
              >
                {state === query.state && <Dot kind="chosen" />}
                {state === undefined ? 'All' : STATES[state].label}{' '}
                {(state === undefined ? everybody : byState[state]).toLocaleString('en-GB')}
              </a>
            ))}
          </nav>
          <Pages asked={asked} page={page} shown={people.length} total={total} />
          {people.length > 0 && <PeopleTable people={people} />}
        </>
      ),
    });
  });
}

/** Each state in words, with its dot. */
export const STATES: Record<SubscriberState, { label: string; dot: 'done' | 'left' | 'refused' }> = {
  subscribed: { label: 'Subscribed', dot: 'done' },
  pending: { label: 'Not confirmed', dot: 'left' },
  unsubscribed: { label: 'Unsubscribed', dot: 'left' },
  undeliverable: { label: 'Undeliverable', dot: 'refused' },
};

export function State({ state }: { state: SubscriberState }) {
  return (
    <span className="state">
      <Dot kind={STATES[state].dot} /> {STATES[state].label}
    </span>
  );
}

/** `Footer | utm_source=linkedin` is the form in the footer, then where the link to it was. */
export function describeSource(source: string): string {
  const [form = '', ...campaign] = source.split(' | ');
  const name = form === 'Founder' || form === 'Footer' ? `${form} form` : form;
  const [, from] = /utm_source=([^&]+)/.exec(campaign.join(' | ')) ?? [];
  return [name, from ?? campaign.join(' | ')].filter(Boolean).join(', ');
}

function readQuery({ part, state, role, form }: Record<string, string>): PeopleQuery {
  return {
    part: part?.slice(0, 254),
    state: SUBSCRIBER_STATES.find((each) => each === state),
    role: role === undefined || role === '' ? undefined : role === NO_ROLE ? '' : role,
    form,
  };
}

const NO_ROLE = 'none';
const ROLE_CHOICES = [
  ['', 'Any role'],
  ...OPTIONAL_FIELDS.role.options.map((role) => [role, role] as const),
  [NO_ROLE, 'Role not given'],
] satisfies (readonly [string, string])[];
const FORM_CHOICES = [
  ['', 'Anywhere'],
  ['Founder', 'Founder form'],
  ['Footer', 'Footer form'],
] satisfies [string, string][];

/** On a phone the role and the source are folded away, unless they are in use. */
function Filters({ asked }: { asked: Record<string, string> }) {
  return (
    <search>
      <form className="filters">
        {asked.state && <input type="hidden" name="state" value={asked.state} />}
        <Input id="part" label="Part of an address" type="search" defaultValue={asked.part} />
        <label className="choice more">
          <input type="checkbox" defaultChecked={Boolean(asked.role || asked.form)} />
          Filter by role and source
        </label>
        <Select id="role" label="Role" options={ROLE_CHOICES} defaultValue={asked.role} />
        <Select id="form" label="Came from" options={FORM_CHOICES} defaultValue={asked.form} />
        <button className="button filled" type="submit">
          Search
        </button>
      </form>
    </search>
  );
}

function buildAddress(asked: Record<string, string>, change: Record<string, string | undefined>): string {
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...asked, ...change, said: undefined }))
    if (value) next.set(name, value);
  return `/people?${next.toString()}`;
}

function Pages({
  asked,
  page,
  shown,
  total,
}: {
  asked: Record<string, string>;
  page: number;
  shown: number;
  total: number;
}) {
  const last = Math.max(1, Math.ceil(total / PEOPLE_PER_PAGE));
  const first = (page - 1) * PEOPLE_PER_PAGE + 1;
  const near = Array.from({ length: last }, (_, index) => index + 1).filter(
    (each) => each === 1 || each === last || Math.abs(each - page) <= 2,
  );
  return (
    <div className="pages">
      <p>
        {shown === 0
          ? 'Nobody is found. Try a shorter part of the address, or another filter.'
          : `${first.toLocaleString('en-GB')} to ${(first + shown - 1).toLocaleString('en-GB')} of ${total.toLocaleString('en-GB')}, the newest first`}
      </p>
      {last > 1 && (
        <nav aria-label="Pages">
          {near.map((each) =>
            each === page ? (
              <b key={each} aria-current="true">
                {each}
              </b>
            ) : (
              <a key={each} href={buildAddress(asked, { page: String(each) })}>
                {each}
              </a>
            ),
          )}
          {page < last && <a href={buildAddress(asked, { page: String(page + 1) })}>Next 50</a>}
        </nav>
      )}
    </div>
  );
}

function PeopleTable({ people }: { people: Subscriber[] }) {
  return (
    <Table className="people" heads={['Address', 'State', 'Role', 'Came from', { number: 'Signed up' }]}>
      {people.map(({ id, address: mailbox, state, role, first_source, created_at }) => (
        <tr key={id}>
          <td>
            <a href={`/people/${id}`}>{mailbox}</a>
          </td>
          <td>
            <State state={state} />
          </td>
          <td>{role || 'Role not given'}</td>
          <td>{describeSource(first_source)}</td>
          <td className="number">{formatDate(created_at)}</td>
        </tr>
      ))}
    </Table>
  );
}
