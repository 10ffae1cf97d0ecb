import { type ReactNode, useContext } from 'react';
import { toDisplayEmail } from '#newsletter/subscribers/email.ts';
import { type Audience, countAudience } from '#newsletter/updates/audience.ts';
import { ROLES_OR_NONE } from '#content/schemas/content-schema.ts';
import { checkSender, type Finding } from '#newsletter/updates/sender-findings.ts';
import { parseTimeToCome, planSending, queueForSending, type SendingPlan } from '#newsletter/updates/plan-sending.ts';
import { readEmail, sendTestMail } from '#newsletter/updates/send-test-mail.ts';
import { type ReadUpdate, readUpdateFile } from '#newsletter/updates/read-update-file.ts';
import { readSource, type Writing, writingPath } from '#newsletter/updates/update-files.ts';
import { formatClock, formatCount, formatPeople, removeSeparators } from '#newsletter/format.ts';
import type { Act } from './answer-form.ts';
import type { Desk } from './desk-types.ts';
import { describeRole } from './labels.ts';
import { Button, Form, FormState, Field, Items, Part } from './parts.tsx';

export type Checks = { selector: string; at: number; findings: Finding[] };

/** Checking the sender, a test to the owner, and the sending itself. @param checks keeps the last check */
export function createSendingActs(desk: Desk, checks: { last?: Checks }): Record<string, Act> {
  return {
    check: async ({ selector = '' }, { req }) => {
      // Providers show the whole name of the record.
      const [name] = selector.trim().split('._domainkey');
      const findings = await checkSender(desk.content.agency.email, name || undefined);
      checks.last = { selector, at: Date.now(), findings };
      return { to: `${writingPath(req.param('name')!)}#checks` };
    },
    test: async ({ to = '' }, { req }) => {
      const address = readEmail(to);
      const place = await sendTestMail(
        { ...desk, agency: desk.content.agency },
        await readSaved(desk, req.param('name')!),
        address,
      );
      return { notice: `A test is sent to ${toDisplayEmail(address)} by ${place}.` };
    },
    send: async ({ typed, when, date, time }, { req }) => {
      if (when === 'later' && !date) throw new Error('Choose the day on which it goes out. Nothing was sent.');
      const update = await readSaved(desk, req.param('name')!);
      const plan = await planSending(desk, update, when === 'later' ? parseTimeToCome(`${date}T${time}`) : undefined);
      const { total } = plan.audience;
      if (removeSeparators(typed ?? '') !== String(total)) {
        throw new Error(
          `You typed ${typed || 'nothing'}, and this goes to ${formatPeople(total)}. Nothing was sent. Type ${formatCount(total)}, or change who gets it.`,
        );
      }
      return { to: `/updates/sent/${await queueForSending(desk, update, plan)}` };
    },
  };
}

/** @throws if text on the page isn't saved in the file yet, since the file is sent */
async function readSaved(desk: Desk, name: string): Promise<ReadUpdate> {
  if (readSource(desk.drafts, name) !== undefined) {
    throw new Error('Your last changes are not saved, so nothing was sent. Press “Save and show”, then send.');
  }
  return readUpdateFile(`${name}.md`, { ...desk.places, sender: desk.content });
}

/** The recipients, whether it will arrive, a test, and the sending itself. */
export async function renderSendingForms(
  desk: Desk,
  name: string,
  { roles }: Writing,
  read: ReadUpdate,
  checks: Checks | undefined,
): Promise<ReactNode> {
  const plan = await planSending(desk, read);
  // People of every role.
  const everybody = await countAudience(desk.store.db, { file: read.file, contentHash: read.update.contentHash });
  return (
    <div className="thirds" id="send" tabIndex={-1}>
      <WhoGetsIt total={plan.audience.total} everybody={everybody} roles={roles} />
      <WillItArrive from={desk.content.agency.email} checks={checks} />
      <Part title="Try it, then send it">
        <Form className="inline" field="to">
          <Field
            id="to"
            label="A test to"
            type="email"
            required
            defaultValue={toDisplayEmail(desk.env.NOTIFY_TO ?? desk.content.agency.email)}
          />
          <Button act="test">Send a test</Button>
        </Form>
        {plan.problem === undefined ? <SendForm plan={plan} /> : <p className="error">{plan.problem}</p>}
        {[...plan.remarks, `${name}.md`].map((remark) => (
          <p key={remark} className="quiet">
            {remark}
          </p>
        ))}
      </Part>
    </div>
  );
}

type WhoProps = { total: number; everybody: Audience; roles: string[] | undefined };

function WhoGetsIt({ total, everybody, roles }: WhoProps) {
  const others = everybody.total - total;
  return (
    <Part title="Who gets it">
      <fieldset className="rows">
        <legend className="skip">Roles</legend>
        {ROLES_OR_NONE.map((role) => (
          <label key={role} className="choice">
            <input
              type="checkbox"
              name="roles"
              value={role}
              form="write"
              defaultChecked={roles === undefined || roles.includes(role)}
            />
            {describeRole(role)}
            <span className="number">{everybody.byRole.find((each) => each.role === role)?.count ?? 0}</span>
          </label>
        ))}
      </fieldset>
      <p className="figure">
        <b>{formatCount(total)}</b>
        <span>
          {total === 1 ? 'person gets' : 'people get'} it.{' '}
          {others > 0 && `${formatCount(others)} have another role or had it before.`}
        </span>
      </p>
      <p className="quiet">Save to count again.</p>
    </Part>
  );
}

type WillItArriveProps = { from: string; checks: Checks | undefined };

function WillItArrive({ from, checks }: WillItArriveProps) {
  return (
    <Part id="checks" tabIndex={-1} title="Will it arrive" note={checks && `Checked at ${formatClock(checks.at)}`}>
      {checks === undefined && (
        <p>Asks the internet whether mail servers will trust emails from {toDisplayEmail(from)}.</p>
      )}
      <Items
        items={(checks?.findings ?? []).map(({ what, isFine, found, advice }) => ({
          dot: isFine ? 'done' : 'refused',
          title: `${what}: ${isFine ? 'in order' : found}`,
          details: advice ? [advice] : [],
        }))}
      />
      <Form className="inline" field="selector">
        <Field
          id="selector"
          label="DKIM selector"
          hint="Your mail provider names it."
          defaultValue={checks?.selector}
        />
        <Button act="check">{checks === undefined ? 'Check' : 'Check again'}</Button>
      </Form>
    </Part>
  );
}

type SendFormProps = { plan: SendingPlan };

function SendForm({ plan: { audience, duration } }: SendFormProps) {
  const { total } = audience;
  const typed = useContext(FormState).mistake?.typed ?? {};
  return (
    <Form field="typed">
      <fieldset>
        <legend>When</legend>
        <label className="choice">
          <input type="radio" name="when" value="now" defaultChecked={typed.when !== 'later'} />
          Now
        </label>
        <label className="choice">
          <input type="radio" name="when" value="later" defaultChecked={typed.when === 'later'} />
          At a time in London
        </label>
        <input type="date" name="date" aria-label="Day" defaultValue={typed.date} />
        <input type="time" name="time" aria-label="Time" defaultValue={typed.time ?? '09:00'} />
      </fieldset>
      <div className="inline">
        <Field
          id="typed"
          label={`Type ${formatCount(total)} to send it to ${formatPeople(total)}`}
          hint={`It takes ${duration}. Nobody gets it twice.`}
          inputMode="numeric"
        />
        <Button kind="filled" act="send">
          Send to {formatCount(total)}
        </Button>
      </div>
    </Form>
  );
}
