import type { Hono } from 'hono';
import { Fragment } from 'react';
import { SUBSCRIBER_STATES, type SubscriberState } from '#newsletter/subscribers/read-subscribers.ts';
import { type FoundPeople, PEOPLE_PER_PAGE, searchPeople } from '#newsletter/subscribers/search-people.ts';
import { ROLES_OR_NONE } from '#content/schemas/content-schema.ts';
import { describeError } from '#shared/describe-error.ts';
import { writePeople } from '#newsletter/import/export-list.ts';
import { formatCount, formatDate } from '#newsletter/format.ts';
import type { Desk } from './desk-types.ts';
import { describeRole, describeSource, STATES } from './describe.ts';
import { Button, ButtonLink, Field, Panel, State, Table } from './ui.tsx';
import { Tabs } from './tabs.tsx';

/** The search, as it appears in the page's URL. */
type Search = Partial<Record<'part' | 'state' | 'role' | 'form' | 'page', string>>;

/** Adds the list of people, with its search and filters, 50 to a page. */
export function addPeople(app: Hono, desk: Pick<Desk, 'store' | 'secret' | 'log'>): void {
  app.get('/desk/people/export', (context) => context.render(<ExportChoices />, { title: 'Export people' }));
  app.get('/desk/people/export/:file', async (context) => {
    const choice = EXPORTS.find(({ file }) => file === context.req.param('file'));
    if (choice === undefined) return context.notFound();
    const { readable, writable } = new TextEncoderStream();
    const file = writable.getWriter();
    // The export runs while the browser receives it, and ends if the browser disconnects.
    void writePeople(desk.store, choice, (text) => file.write(text)).then(
      () => file.close(),
      (error: unknown) => {
        desk.log(`Desk: an export was not finished (${describeError(error)}).`);
        return file.abort(error);
      },
    );
    context.header('Content-Disposition', `attachment; filename="${choice.file}"`);
    context.header('Content-Type', choice.format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json');
    return context.body(readable);
  });
  app.get('/desk/people', async (context) => {
    const search: Search = context.req.query();
    const { part, role, form } = search;
    const asked = Math.max(1, Math.floor(Number(search.page)) || 1);
    const state = findState(search.state);
    const query = {
      part: part?.slice(0, 254),
      secret: desk.secret,
      state,
      role: role === NO_ROLE ? '' : role || undefined,
      form,
    };
    const found = await searchPeople(desk.store.db, query, asked);
    return context.render(
      <>
        <Filters search={search} />
        <States search={search} state={state} byState={found.byState} />
        <Pager search={search} found={found} />
        {found.people.length > 0 && <People people={found.people} />}
      </>,
      {
        title: 'People',
        actions: (
          <>
            <ButtonLink href="/desk/people/import">Add people from a file</ButtonLink>
            <ButtonLink href="/desk/people/export">Export</ButtonLink>
          </>
        ),
      },
    );
  });
}

const EXPORTS = [
  {
    file: 'subscribed-people.csv',
    format: 'csv',
    state: 'subscribed',
    title: 'Subscribed people',
    use: 'A table for a mail merge or another tool: only people you may email.',
  },
  {
    file: 'everybody.csv',
    format: 'csv',
    state: 'all',
    title: 'Everybody, including people who have unsubscribed',
    use: 'A table of everybody in your records. Don’t email anybody in it who is unsubscribed, unconfirmed or undeliverable.',
  },
  {
    file: 'everybody-with-evidence.json',
    format: 'json',
    state: 'all',
    title: 'Everybody, with all evidence of consent',
    use: 'Everything in your records, to keep as proof or pass to an engineer.',
  },
] as const;

/** In languages with a decimal comma, Excel expects semicolons in a CSV file that is opened by a double click. */
const EXCEL_ADVICE =
  'If Excel puts everything in one column, as its German, French and Dutch versions do, open an empty workbook, choose Data > From Text/CSV (Daten > Aus Text/CSV, Données > À partir d’un fichier texte/CSV, Gegevens > Van tekst/CSV), pick the file, and choose Comma as the delimiter.';

function ExportChoices() {
  return EXPORTS.map(({ file, format: kind, title, use }, index) => (
    <Panel key={file} title={title}>
      <p>{use}</p>
      {kind === 'csv' && <p className="quiet">{EXCEL_ADVICE}</p>}
      <ButtonLink kind={index === 0 ? 'filled' : 'plain'} href={`/desk/people/export/${file}`}>
        Download {file}
      </ButtonLink>
    </Panel>
  ));
}

function findState(name: string | undefined): SubscriberState | undefined {
  return SUBSCRIBER_STATES.find((each) => each === name);
}

const NO_ROLE = 'none';
const ROLE_CHOICES = {
  '': 'Any role',
  ...Object.fromEntries(ROLES_OR_NONE.map((role) => [role || NO_ROLE, describeRole(role)])),
};
const FORM_CHOICES = { '': 'Anywhere', Founder: 'Founder form', Footer: 'Footer form' };

type FiltersProps = { search: Search };

/** On a phone the role and the source are folded away, unless they are in use. */
function Filters({ search: { part, state, role, form } }: FiltersProps) {
  return (
    <search>
      <form className="filters">
        {state && <input type="hidden" name="state" value={state} />}
        <Field id="part" label="Part of an address" type="search" defaultValue={part} />
        <label className="choice more">
          <input type="checkbox" defaultChecked={Boolean(role || form)} />
          Filter by role and source
        </label>
        <Field id="role" label="Role" defaultValue={role} choices={ROLE_CHOICES} />
        <Field id="form" label="Came from" defaultValue={form} choices={FORM_CHOICES} />
        <Button kind="filled">Search</Button>
      </form>
    </search>
  );
}

type StatesProps = { search: Search; state: SubscriberState | undefined; byState: FoundPeople['byState'] };

function States({ search, state, byState }: StatesProps) {
  const links = (['all', ...SUBSCRIBER_STATES] as const).map((each) => ({
    href: buildAddress(search, { state: each === 'all' ? '' : each, page: '' }),
    label: `${each === 'all' ? 'All' : STATES[each].label} ${formatCount(byState[each])}`,
    isChosen: each === (state ?? 'all'),
  }));
  return <Tabs label="State" links={links} />;
}

/** @param change an empty string removes that part of the search */
function buildAddress(search: Search, change: Search): string {
  const given = Object.entries({ ...search, ...change }).filter(([, value]) => value !== '');
  return `/desk/people?${new URLSearchParams(given).toString()}`;
}

type PagerProps = { search: Search; found: FoundPeople };

function Pager({ search, found }: PagerProps) {
  const { people, total, page, lastPage } = found;
  const before = (page - 1) * PEOPLE_PER_PAGE;
  const pages = Array.from({ length: lastPage }, (_, index) => index + 1);
  const nobody = Object.values(search).some(Boolean)
    ? 'Nobody matches. Try a shorter part of the address, or another filter.'
    : 'Nobody is on your list yet.';
  const [from, to, all] = [before + 1, before + people.length, total].map(formatCount);
  return (
    <div className="pages line">
      <p>{total === 0 ? nobody : `${from} to ${to} of ${all}, newest first`}</p>
      {lastPage > 1 && (
        <nav className="line" aria-label="Pages">
          {pages
            .filter((each) => lastPage <= 7 || each === 1 || each === lastPage || Math.abs(each - page) <= 2)
            .map((each, index, shown) => (
              <Fragment key={each}>
                {index > 0 && each > shown[index - 1]! + 1 && <span>…</span>}
                <a
                  href={buildAddress(search, { page: String(each) })}
                  aria-current={each === page ? 'true' : undefined}
                >
                  {each}
                </a>
              </Fragment>
            ))}
          {page < lastPage && <a href={buildAddress(search, { page: String(page + 1) })}>Next page</a>}
        </nav>
      )}
    </div>
  );
}

type PeopleProps = { people: FoundPeople['people'] };

function People({ people }: PeopleProps) {
  return (
    <Table
      className="people"
      columns={['Address', 'State', 'Role', 'Came from', 'Signed up']}
      right={1}
      rows={people.map(({ id, email, state, role, first_source, created_at }) => [
        <a href={`/desk/people/${id}`}>{email}</a>,
        <State dot={STATES[state].dot}>{STATES[state].label}</State>,
        describeRole(role),
        describeSource(first_source),
        formatDate(created_at),
      ])}
    />
  );
}
