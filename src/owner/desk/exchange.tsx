import { randomUUID } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { stream } from 'hono/streaming';
import { SUBSCRIBER_STATES, type SubscriberState } from '#list/read-subscribers.ts';
import { writePeople } from '../subscribers/export-list.ts';
import { decodeListFile } from '../subscribers/read-list-file.ts';
import { findMissingEvidence, type ImportOutcome, importPeople } from '../subscribers/import-list.ts';
import type { ImportOptions } from '../subscribers/read-person.ts';
import { readCsv } from '../subscribers/csv.ts';
import type { Desk } from './desk-types.ts';
import { ActionForm, Field, Input, Notice, Part, Select, showPage, Table } from './frame.tsx';
import { STATES } from './people.tsx';
import { formatDate, people } from './words.ts';

/** People in from a file, after a dry run, and out into one. */
export function addExchange(app: Hono, desk: Desk): void {
  addExport(app, desk);
  // A file between its dry run and its import; one owner looks at one file.
  let held: { key: string; name: string; text: string } | undefined;
  app.get('/people/import', async (context) => showChoice(context, desk));
  app.post('/people/import', async (context) => {
    const form = await context.req.parseBody();
    if (form.file instanceof File && form.file.size > 0) {
      try {
        const { text } = decodeListFile(new Uint8Array(await form.file.arrayBuffer()), form.file.name);
        held = { key: randomUUID(), name: form.file.name, text };
      } catch (error) {
        return showChoice(context, desk, (error as Error).message);
      }
    }
    if (held === undefined || (form.key && form.key !== held.key)) {
      return showChoice(context, desk, 'Choose a file first.');
    }
    const options = readOptions(form);
    const missing = findMissingEvidence(readCsv(held.text).columns, options);
    const isReal = form.really === 'yes' && missing.length === 0;
    const outcome =
      missing.length > 0 ? undefined : await importPeople(desk, held.text, { ...options, dryRun: !isReal });
    if (!isReal || outcome === undefined) return showTrial(context, desk, { ...held, options, outcome });
    held = undefined;
    const said = `${people(outcome.summary.imported)} added from the file. No mail was sent to them.`;
    return context.redirect(`/people?${desk.say(said)}`, 303);
  });
}

function addExport(app: Hono, desk: Desk): void {
  app.get('/people/export', async (context) => {
    const { state, format } = context.req.query();
    if (format !== 'csv' && format !== 'json') return showExport(context, desk);
    const chosen = [...SUBSCRIBER_STATES, 'all' as const].find((each) => each === state) ?? 'all';
    context.header('Content-Type', format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json');
    context.header('Content-Disposition', `attachment; filename="people-${chosen}.${format}"`);
    return stream(context, async (output) => {
      const parts: string[] = [];
      await writePeople(desk.store, { format, state: chosen }, (text) => void parts.push(text));
      await output.write(parts.join(''));
    });
  });
}

function showExport(context: Context, desk: Desk): Promise<Response> {
  const choices: [SubscriberState | 'all', string][] = [
    ['all', 'Everybody'],
    ...SUBSCRIBER_STATES.map((state): [SubscriberState, string] => [state, STATES[state].label]),
  ];
  return showPage(context, desk, {
    title: 'Export people',
    section: '/people',
    eyebrow: <a href="/people">People</a>,
    lead: 'One line for each person, with what they agreed to, when and where. It holds addresses: delete it when you no longer need it.',
    body: (
      <form className="narrow">
        <Select id="state" label="Who" options={choices} />
        <Select
          id="format"
          label="As"
          options={FORMATS}
          hint="A spreadsheet opens CSV safely; JSON has every consent."
        />
        <button className="button filled" type="submit">
          Export
        </button>
      </form>
    ),
  });
}

const FORMATS: [string, string][] = [
  ['csv', 'CSV'],
  ['json', 'JSON'],
];

function readOptions(form: Record<string, unknown>): ImportOptions {
  const given = (['wording', 'source', 'date'] as const).map((name) => [name, form[name]] as const);
  return Object.fromEntries(given.filter(([, value]) => typeof value === 'string' && value.trim() !== ''));
}

function showChoice(context: Context, desk: Desk, problem?: string): Promise<Response> {
  return showPage(context, desk, {
    title: 'Add people from a file',
    section: '/people',
    status: problem === undefined ? 200 : 400,
    eyebrow: <a href="/people">People</a>,
    lead: 'CSV as a spreadsheet saves it, its first line naming the columns, one of them “email”. You see what it would do before anything changes.',
    body: (
      <ActionForm desk={desk} action="/people/import" encType="multipart/form-data" className="narrow">
        <Input id="file" label="The file" error={problem} type="file" accept=".csv,.txt,text/csv" required />
        <button className="button filled" type="submit">
          Show what it would do
        </button>
      </ActionForm>
    ),
  });
}

type Trial = { key: string; name: string; text: string; options: ImportOptions; outcome: ImportOutcome | undefined };

function showTrial(context: Context, desk: Desk, { key, name, text, options, outcome }: Trial): Promise<Response> {
  const added = outcome?.summary.imported ?? 0;
  const total = outcome && Object.values(outcome.summary).reduce((sum, count) => sum + count, outcome.problems.length);
  return showPage(context, desk, {
    title: outcome === undefined ? 'What did they agree to?' : `${added} of ${people(total ?? 0)} would be added`,
    section: '/people',
    eyebrow: <a href="/people">People</a>,
    lead: (
      <>
        Nothing has changed yet. This is what <code>{name}</code> would do. Adding people sends them no mail.
      </>
    ),
    actions: (
      <>
        <a className="button" href="/people/import">
          Choose another file
        </a>
        {added > 0 && (
          <button className="button filled" type="submit" form="trial" name="really" value="yes">
            Add {people(added)}
          </button>
        )}
      </>
    ),
    body: (
      <>
        {outcome && <Counts outcome={outcome} />}
        {outcome && outcome.problems.length > 0 && <Refused outcome={outcome} text={text} />}
        <div className="side">
          <div>{outcome ? <First outcome={outcome} /> : <Notice kind="error" text={NO_EVIDENCE} />}</div>
          <Evidence desk={desk} fileKey={key} options={options} />
        </div>
      </>
    ),
  });
}

const NO_EVIDENCE =
  'The file does not say what these people agreed to, where, or when. Consent has to be shown: fill in what holds for all of them, or leave them out.';

function Counts({ outcome: { summary, problems } }: { outcome: ImportOutcome }) {
  const { imported, known, unsubscribed, undeliverable, erased } = summary;
  const counts: [number, string][] = [
    [imported, 'would be added'],
    [known + unsubscribed + undeliverable + summary['twice in the file'], 'known already, left as they are'],
    [erased, 'erased earlier, stay out'],
    [problems.length, 'refused'],
  ];
  return (
    <p className="counts">
      {counts
        .filter(([count], index) => count > 0 || index === 0)
        .map(([count, label]) => (
          <span key={label}>
            <b>{count}</b> {label}
          </span>
        ))}
    </p>
  );
}

function Refused({ outcome: { problems }, text }: { outcome: ImportOutcome; text: string }) {
  const lines = text.split(/\r?\n/);
  return (
    <section className="part gap">
      <h2>{problems.length === 1 ? '1 line is refused' : `${problems.length} lines are refused`}</h2>
      <Table className="people" heads={['Line', 'What it says', 'Why, and what to do']}>
        {problems.slice(0, MAX_SHOWN).map(({ line, expected }) => (
          <tr key={line}>
            <td>
              <b>{line}</b>
            </td>
            <td>
              <code>{lines[line - 1]?.slice(0, 200)}</code>
            </td>
            <td>{expected}</td>
          </tr>
        ))}
      </Table>
      <p className="quiet">
        Mend these lines in the file and add it again: those who are on the list by then are left as they are.
      </p>
    </section>
  );
}

const MAX_SHOWN = 100;

function First({ outcome: { first, summary } }: { outcome: ImportOutcome }) {
  if (first.length === 0) return null;
  return (
    <Part
      title={
        summary.imported > first.length
          ? `The first of the ${summary.imported}, as they will be`
          : 'They, as they will be'
      }
    >
      <Table className="people" heads={['Address', 'Role', 'Agreed on', 'Source']}>
        {first.map(({ normalisedAddress, email, role, givenAt, source }) => (
          <tr key={normalisedAddress}>
            <td>{email}</td>
            <td>{role || 'Role not given'}</td>
            <td>{formatDate(givenAt)}</td>
            <td>{source}</td>
          </tr>
        ))}
      </Table>
    </Part>
  );
}

function Evidence({ desk, fileKey, options }: { desk: Desk; fileKey: string; options: ImportOptions }) {
  return (
    <Part title="What they agreed to">
      <p className="quiet">For lines without columns for this.</p>
      <ActionForm desk={desk} action="/people/import" id="trial">
        <input type="hidden" name="key" value={fileKey} />
        <Field id="wording" label="The sentence, word for word">
          {(about) => <textarea {...about} name="wording" rows={3} defaultValue={options.wording} />}
        </Field>
        <Input id="source" label="Where" defaultValue={options.source} />
        <Input id="date" label="On which day" type="date" defaultValue={options.date} />
        <button className="button" type="submit">
          Look again
        </button>
      </ActionForm>
    </Part>
  );
}
