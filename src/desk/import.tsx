import { randomUUID } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import {
  describeKeptOut,
  findDateProblem,
  type ImportOutcome,
  importPeople,
  type Question,
} from '#newsletter/import/import-list.ts';
import { MEANINGS } from '#newsletter/import/column-names.ts';
import type { DateOrder } from '#newsletter/import/list-dates.ts';
import { decodeListFile } from '#newsletter/import/read-list-file.ts';
import { type ListFile, readList } from '#newsletter/import/read-list.ts';
import type { ImportOptions } from '#newsletter/import/read-person.ts';
import { capitalise, formatCount, formatDate, formatPeople } from '#newsletter/format.ts';
import { createAction, FieldError, type FormDesk, handleAction } from './handle-forms.ts';
import type { Desk } from './desk-types.ts';
import { runJob } from './jobs.ts';
import { describeRole } from './describe.ts';
import { Button, ButtonLink, Counts, Form, Field, Notice, Panel, Rows, Table } from './ui.tsx';

/**
 * A file between its dry run and its import, with the evidence that the owner gave for all its lines.
 * @property trial the result of the last dry run
 */
type PendingImport = {
  path: string;
  list: ListFile;
  options: ImportOptions;
  trial?: Awaited<ReturnType<typeof importPeople>>;
};

type ImportDesk = FormDesk & Pick<Desk, 'store' | 'secret' | 'jobs'>;

/** Adds the pages that import people from a file, after a dry run. */
export function addImport(app: Hono, desk: ImportDesk): void {
  // There is one owner, who works on one file at a time.
  let pending: PendingImport | undefined;
  const open = createAction(
    z.object({}),
    async (_, context) => {
      const { file } = await context.req.parseBody();
      if (!(file instanceof File) || file.size === 0) throw new FieldError('file', 'Choose a file first.');
      const { text } = decodeListFile(new Uint8Array(await file.arrayBuffer()), file.name);
      pending = { path: `/desk/people/import/${randomUUID()}`, list: readList(text, file.name), options: {} };
      return tryImport(desk, pending);
    },
    'file',
  );
  const tryOrImport = createAction(EVIDENCE_FORM, async ({ really, ...options }, context) => {
    if (pending?.path !== context.req.path)
      return { to: '/desk/people/import', notice: 'Choose the file again: nothing was done.' };
    pending.options = { ...options, dates: options.dates ?? pending.options.dates };
    if (really === undefined) return tryImport(desk, pending);
    const { path, list, options: evidence } = pending;
    return runJob(desk, { kind: 'import', title: 'Adding people' }, async (onProgress) => {
      const outcome = await importPeople(desk, list, { ...evidence, onProgress });
      if ('question' in outcome) return { to: path };
      pending = undefined;
      return { to: '/desk/people', notice: describeImport(outcome) };
    });
  });
  app.get('/desk/people/import', showChoice);
  app.get('/desk/people/import/:key', async (context) => {
    if (pending?.path !== context.req.path) return context.redirect('/desk/people/import', 303);
    const { trial } = pending;
    // The dry run has failed, and its page has given the reason.
    if (trial === undefined) return context.redirect('/desk/people/import', 303);
    return 'question' in trial ? showQuestion(context, pending, trial.question) : showTrial(context, pending, trial);
  });
  app.post('/desk/people/import', handleAction(desk, open));
  app.post('/desk/people/import/:key', handleAction(desk, tryOrImport));
}

function describeImport({ summary, keptOut }: ImportOutcome): string {
  const added = `${formatPeople(summary.imported)} added from the file. No email was sent to them.`;
  return keptOut === 0 ? added : `${added} ${describeKeptOut(keptOut)}`;
}

/** Runs the import as a dry run. */
function tryImport(desk: ImportDesk, pending: PendingImport) {
  return runJob(desk, { kind: 'dry run', title: 'Reading the file' }, async (onProgress) => {
    delete pending.trial;
    pending.trial = await importPeople(desk, pending.list, { ...pending.options, dryRun: true, onProgress });
    return { to: pending.path };
  });
}

const EVIDENCE_FORM = z.object({
  really: z.literal('yes').optional(),
  wording: z.string().optional(),
  source: z.string().optional(),
  date: z
    .string()
    .optional()
    .superRefine((date, context) => {
      const problem = findDateProblem(date);
      if (problem !== undefined) context.addIssue(`${problem}.`);
    }),
  dates: z.enum(['day-first', 'month-first']).optional().catch(undefined),
});

function showChoice(context: Context): Response | Promise<Response> {
  return context.render(
    <Form encType="multipart/form-data">
      <Field id="file" label="The file" type="file" accept=".csv,.tsv,.txt,text/csv" />
      <Button kind="filled">Preview the import</Button>
    </Form>,
    {
      title: 'Add people from a file',
      lead: 'CSV from any newsletter tool, address book or spreadsheet, with a column of email addresses. You’ll see the changes before anything is saved.',
    },
  );
}

function showQuestion(context: Context, pending: PendingImport, question: Question): Response | Promise<Response> {
  const { list, options } = pending;
  const isAboutDates = question.kind === 'dates';
  return context.render(
    <>
      <Notice kind="error" text={isAboutDates ? askForOrder(question) : askForEvidence(question)} />
      <div className="side">
        <Columns list={list} />
        <Evidence options={options} dates={isAboutDates ? question.readings : undefined} />
      </div>
    </>,
    {
      title: isAboutDates ? 'How are the dates written?' : 'What did they agree to?',
      lead: describeFile(list),
      actions: <ButtonLink href="/desk/people/import">Choose another file</ButtonLink>,
    },
  );
}

function askForEvidence({ options }: Extract<Question, { kind: 'evidence' }>): string {
  const missing = options.map((each) => MISSING[each]).join(', ');
  return `For at least some of these people, this is missing: ${missing}. You must be able to prove consent: fill in what applies to all of them, or leave them out.`;
}

const MISSING = { wording: 'the sentence they agreed to', source: 'where they agreed', date: 'when they agreed' };

function askForOrder({ line, column, text }: Extract<Question, { kind: 'dates' }>): string {
  return `Line ${line}, “${column}”, says ${text}, which can be read in two ways. Choose one below.`;
}

function describeFile({ name }: ListFile): string {
  return `Nothing has changed yet. The file is ${name}. Adding people sends them no email.`;
}

function showTrial(context: Context, pending: PendingImport, outcome: ImportOutcome): Response | Promise<Response> {
  const { list, options } = pending;
  const { keptOut } = outcome;
  const added = outcome.summary.imported;
  return context.render(
    <>
      <Counts counts={listCounts(outcome, list)} />
      {keptOut > 0 && <p>{describeKeptOut(keptOut)}</p>}
      <div className="side">
        <div>
          <Columns list={list} />
          <First outcome={outcome} />
        </div>
        <Evidence options={options} />
      </div>
      <StayOut outcome={outcome} />
    </>,
    {
      title: `${formatCount(added)} of ${formatPeople(countRows(outcome))} would be added`,
      lead: describeFile(list),
      actions: (
        <>
          <ButtonLink href="/desk/people/import">Choose another file</ButtonLink>
          {/* Enter in a field presses the form's first button, which must not be the one that imports. */}
          <button type="submit" form="trial" hidden>
            Refresh
          </button>
          {added + keptOut > 0 && (
            <Button kind="filled" form="trial" name="really" value="yes">
              {added > 0 ? `Add ${formatPeople(added)}` : `Keep ${formatPeople(keptOut)} out`}
            </Button>
          )}
        </>
      ),
    },
  );
}

function countRows({ summary }: ImportOutcome): number {
  return Object.values(summary).reduce((sum, count) => sum + count, 0);
}

/** The counts add up to the file's rows below its header. */
function listCounts({ summary }: ImportOutcome, { empty }: ListFile) {
  const { imported, existing, unsubscribed, undeliverable, erased, unreadable } = summary;
  const known = existing + unsubscribed + undeliverable + summary.duplicate;
  return [
    { count: imported, label: 'would be added' },
    { count: known, label: 'on the list, unsubscribed, or twice in the file; left unchanged' },
    { count: summary['left out'], label: 'left out; the reasons are below' },
    { count: erased, label: 'erased earlier; not added' },
    { count: unreadable, label: 'could not be read' },
    { count: empty, label: 'empty' },
  ].filter(({ count }, index) => index === 0 || count > 0);
}

type ColumnsProps = { list: ListFile };

function Columns({ list: { columns, ignored } }: ColumnsProps) {
  return (
    <Panel title="How the columns are read">
      <Rows rows={columns.map(({ name, meaning }) => [name, capitalise(MEANINGS[meaning])])} />
      {ignored.length > 0 && <p className="quiet">Ignored: {ignored.join(', ')}.</p>}
    </Panel>
  );
}

type FirstProps = { outcome: ImportOutcome };

function First({ outcome: { first, notes, summary } }: FirstProps) {
  const ofAll = summary.imported > first.length && `The first few of the ${formatCount(summary.imported)}`;
  return (
    first.length > 0 && (
      <Panel title={ofAll ? `${ofAll}, as they will be added` : 'How they will be added'}>
        <Table
          className="people"
          columns={['Address', 'Role', 'Agreed on', 'Source']}
          rows={first.map(({ email, role, givenAt, source }) => [
            email,
            describeRole(role),
            formatDate(givenAt),
            source,
          ])}
        />
        {notes.slice(0, MAX_SHOWN).map(({ line, note }) => (
          <p className="quiet" key={`${line} ${note}`}>
            Line {line}: {note.replace(/[^?]$/, '$&.')}
          </p>
        ))}
      </Panel>
    )
  );
}

type StayOutProps = { outcome: ImportOutcome };

function StayOut({ outcome: { problems, leftOut } }: StayOutProps) {
  const lines = [
    ...leftOut.map(({ line, email, why }) => ({ line, cells: [email, capitalise(why)] })),
    ...problems.map(({ line, expected }) => ({ line, cells: ['Could not be read', capitalise(expected)] })),
  ].toSorted((one, other) => one.line - other.line);
  if (lines.length === 0) return null;
  return (
    <Panel title={lines.length === 1 ? '1 line won’t be added' : `${formatCount(lines.length)} lines won’t be added`}>
      <Table
        className="people"
        columns={['Line', 'Who', 'Why']}
        rows={lines.slice(0, MAX_SHOWN).map(({ line, cells }) => [<b>{line}</b>, ...cells])}
      />
      {lines.length > MAX_SHOWN && <p className="quiet">And {formatCount(lines.length - MAX_SHOWN)} more.</p>}
      {problems.length > 0 && (
        <p className="quiet">
          Correct the lines that could not be read and add the file again: anybody already on the list is left
          unchanged.
        </p>
      )}
    </Panel>
  );
}

const MAX_SHOWN = 1000;

type EvidenceProps = { options: ImportOptions; dates?: Record<DateOrder, string> | undefined };

function Evidence({ options, dates }: EvidenceProps) {
  const { wording, source, date } = options;
  return (
    <Panel title="What they agreed to">
      <p className="quiet">Used for lines in which these are missing.</p>
      <Form id="trial">
        <Field as="textarea" id="wording" label="The sentence, word for word" rows={3} defaultValue={wording} />
        <Field id="source" label="Where" defaultValue={source} />
        <Field id="date" label="Date" type="date" defaultValue={date} />
        {dates && <Field id="dates" label="How the file writes dates" choices={describeOrders(dates)} />}
        <Button>Refresh</Button>
      </Form>
    </Panel>
  );
}

function describeOrders(readings: Record<DateOrder, string>): Record<string, string> {
  return {
    '': 'Choose one',
    'day-first': `The day first: ${readings['day-first']}`,
    'month-first': `The month first: ${readings['month-first']}`,
  };
}
