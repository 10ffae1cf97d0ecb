import { randomUUID } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { findMissingEvidence, type ImportOutcome, importPeople } from '../subscribers/import-list.ts';
import { decodeListFile } from '../subscribers/read-list-file.ts';
import type { ImportOptions } from '../subscribers/read-person.ts';
import { capitalise, formatCount, formatDate, people } from '../command/words.ts';
import { type Act, answerForm } from './answer-form.ts';
import type { Desk } from './desk-types.ts';
import { describeRole } from './labels.ts';
import { Button, ButtonLink, Counts, Form, Field, Notice, Part, Table } from './parts.tsx';

/** A file between its dry run and its import, with what the owner said for all of it. */
type Held = { path: string; name: string; text: string; options: ImportOptions };

/** People from a file, after a dry run. */
export function addImport(app: Hono, desk: Desk): void {
  // One owner looks at one file.
  let held: Held | undefined;
  const hold: Act = async (_, context) => {
    const { file } = await context.req.parseBody();
    if (!(file instanceof File) || file.size === 0) throw new Error('Choose a file first.');
    const { text } = decodeListFile(new Uint8Array(await file.arrayBuffer()), file.name);
    findMissingEvidence(text, {}, file.name);
    held = { path: `/people/import/${randomUUID()}`, name: file.name, text, options: {} };
    return { to: held.path };
  };
  const tryOrImport: Act = async ({ really, wording, source, date }, context) => {
    if (held?.path !== context.req.path) return { to: '/people/import' };
    held.options = { wording, source, date };
    const outcome = really === undefined ? undefined : await runImport(desk, held, false);
    if (outcome === undefined) return {};
    held = undefined;
    const { imported } = outcome.summary;
    return { to: '/people', notice: `${people(imported)} added from the file. No email was sent to them.` };
  };
  app.get('/people/import', showChoice);
  app.get('/people/import/:key', async (context) => {
    if (held?.path !== context.req.path) return context.redirect('/people/import', 303);
    return showTrial(context, held, await runImport(desk, held, true));
  });
  app.post('/people/import', answerForm(desk, hold));
  app.post('/people/import/:key', answerForm(desk, tryOrImport));
}

/** @returns undefined where it is not known what these people agreed to */
async function runImport(desk: Desk, held: Held, dryRun: boolean): Promise<ImportOutcome | undefined> {
  const { name, text, options } = held;
  if (findMissingEvidence(text, options, name).length > 0) return undefined;
  return importPeople(desk, text, { ...options, dryRun });
}

function showChoice(context: Context): Response | Promise<Response> {
  return context.render(
    <Form encType="multipart/form-data" field="file">
      <Field id="file" label="The file" type="file" accept=".csv,.txt,text/csv" />
      <Button kind="filled">Show what it would do</Button>
    </Form>,
    {
      title: 'Add people from a file',
      lead: 'CSV as a spreadsheet saves it, its first line naming the columns, one of them “email”. You see what it would do before anything changes.',
    },
  );
}

/** @param outcome of the dry run; undefined where it is not known what these people agreed to */
function showTrial(context: Context, held: Held, outcome: ImportOutcome | undefined): Response | Promise<Response> {
  const added = outcome?.summary.imported ?? 0;
  const counts = outcome ? listCounts(outcome) : [];
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return context.render(
    <>
      {outcome && <Counts counts={counts} />}
      {outcome && outcome.problems.length > 0 && <Refused problems={outcome.problems} text={held.text} />}
      <div className="side">
        <div>{outcome ? <First outcome={outcome} /> : <Notice kind="error" text={NO_EVIDENCE} />}</div>
        <Evidence {...held} />
      </div>
    </>,
    {
      title: outcome ? `${formatCount(added)} of ${people(total)} would be added` : 'What did they agree to?',
      lead: (
        <>
          Nothing has changed yet. This is what <code>{held.name}</code> would do. Adding people sends them no email.
        </>
      ),
      actions: (
        <>
          <ButtonLink href="/people/import">Choose another file</ButtonLink>
          {/* Enter in a field presses the form's first button, which must not be the one that imports. */}
          <button type="submit" form="trial" hidden>
            Look again
          </button>
          {added > 0 && (
            <Button kind="filled" form="trial" name="really" value="yes">
              Add {people(added)}
            </Button>
          )}
        </>
      ),
    },
  );
}

const NO_EVIDENCE =
  'The file does not say what these people agreed to, where, or when. Consent has to be shown: fill in what holds for all of them, or leave them out.';

function listCounts({ summary, problems }: ImportOutcome) {
  const { imported, known, unsubscribed, undeliverable, erased } = summary;
  const knownAlready = known + unsubscribed + undeliverable + summary['twice in the file'];
  return [
    { count: imported, words: 'would be added' },
    { count: knownAlready, words: 'known or unsubscribed already, left as they are' },
    { count: erased, words: 'erased earlier, stay out' },
    { count: problems.length, words: 'refused' },
  ];
}

function Refused({ problems, text }: { problems: ImportOutcome['problems']; text: string }) {
  const lines = text.split(/\r?\n/);
  return (
    <Part title={problems.length === 1 ? '1 line is refused' : `${problems.length} lines are refused`}>
      <Table
        className="people"
        columns={['Line', 'What it says', 'Why, and what to do']}
        rows={problems
          .slice(0, MAX_SHOWN)
          .map(({ line, expected }) => [
            <b>{line}</b>,
            <code>{lines[line - 1]?.slice(0, 200)}</code>,
            capitalise(expected),
          ])}
      />
      <p className="quiet">
        Correct these lines in the file and add it again: those who are on the list by then are left as they are.
      </p>
    </Part>
  );
}

const MAX_SHOWN = 100;

function First({ outcome: { first, summary } }: { outcome: ImportOutcome }) {
  const areMore = summary.imported > first.length;
  return (
    first.length > 0 && (
      <Part title={areMore ? `The first of the ${summary.imported}, as they will be` : 'How they will be added'}>
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
      </Part>
    )
  );
}

function Evidence({ options }: Held) {
  return (
    <Part title="What they agreed to">
      <p className="quiet">For lines that do not say so themselves.</p>
      <Form id="trial">
        <Field as="textarea" id="wording" label="The sentence, word for word" rows={3} defaultValue={options.wording} />
        <Field id="source" label="Where" defaultValue={options.source} />
        <Field id="date" label="On which day" type="date" defaultValue={options.date} />
        <Button>Look again</Button>
      </Form>
    </Part>
  );
}
