import { type ReactNode, useContext } from 'react';
import { z } from 'zod';
import { toDisplayEmail } from '#newsletter/subscribers/email.ts';
import { type Audience, countAudience } from '#newsletter/updates/audience.ts';
import { ROLES_OR_NONE } from '#content/schemas/content-schema.ts';
import { checkSender, type Finding } from '#newsletter/updates/sender-findings.ts';

import {
  parseTimeToCome,
  planSending,
  queueForSending,
  sendInstead,
  type SendingPlan,
} from '#newsletter/updates/plan-sending.ts';
import { findScheduled, type ScheduledUpdate } from '#newsletter/updates/queue-update.ts';
import { cancelUpdate } from '#newsletter/updates/update-state.ts';
import { readEmail, sendTestMail } from '#newsletter/updates/send-test-mail.ts';
import { type ReadUpdate, readUpdateFile } from '#newsletter/updates/read-update-file.ts';
import { readSource, type Writing, writingPath } from '#newsletter/updates/update-files.ts';
import { formatClock, formatCount, formatPeople, removeSeparators } from '#newsletter/format.ts';
import { type Action, createAction } from './actions.ts';
import type { WritingDesk } from './desk-types.ts';
import { describeRole } from './describe.ts';
import { ActionButton, Button, Form, FormState, Field, Items, Panel } from './ui.tsx';

export type Checks = { selector: string; at: number; findings: Finding[] };

/** Checking the sender, a test to the owner, and the sending itself. @param checks keeps the last check */
export function createSendActions(desk: WritingDesk, checks: { last?: Checks }): Record<string, Action> {
  return {
    check: createAction(
      z.object({ selector: z.string() }),
      async ({ selector }, { req }) => {
        // Providers show the whole name of the record.
        const [name] = selector.trim().split('._domainkey');
        const findings = await checkSender(desk.content.agency.email, name || undefined);
        checks.last = { selector, at: Date.now(), findings };
        return { to: `${writingPath(req.param('name')!)}#checks` };
      },
      'selector',
    ),
    test: createAction(
      z.object({ to: z.string() }),
      async ({ to }, { req }) => {
        const address = readEmail(to);
        const place = await sendTestMail(
          { ...desk, agency: desk.content.agency },
          await readSaved(desk, req.param('name')!),
          address,
        );
        return { notice: `A test is sent to ${toDisplayEmail(address)} by ${place}.` };
      },
      'to',
    ),
    send: createAction(
      SEND_FORM,
      async ({ count, when, date, time, again }, { req }) => {
        if (when === 'later' && !date) throw new Error('Choose the day on which it goes out. Nothing was sent.');
        const update = await readSaved(desk, req.param('name')!);
        const sendAt = when === 'later' ? parseTimeToCome(`${date}T${time}`) : undefined;
        const plan = await planSending(desk, update, { sendAt, again: again === 'yes' });
        if (plan.problem !== undefined) throw new Error(`${plan.problem} Nothing more was sent.`);
        const { total } = plan.audience;
        if (removeSeparators(count) !== String(total)) {
          throw new Error(
            `You typed ${count || 'nothing'}, and this goes to ${formatPeople(total)}. Nothing was sent. Type ${formatCount(total)}, or change who gets it.`,
          );
        }
        return { to: `/desk/updates/sent/${await queueForSending(desk, update, plan)}` };
      },
      'count',
    ),
    instead: createAction(z.object({}), async (_, { req }) => {
      await sendInstead(desk, await readSaved(desk, req.param('name')!));
      return { notice: 'This version goes out instead of the earlier one.' };
    }),
    unschedule: createAction(z.object({}), async (_, { req }) => {
      const { file, update } = await readSaved(desk, req.param('name')!);
      const scheduled = await findScheduled(desk.store.db, { file, textHash: update.textHash });
      const cancelled = scheduled && (await cancelUpdate(desk.store, scheduled.id, Date.now()));
      return { notice: cancelled ? 'Cancelled. Nobody gets it.' : 'It was no longer scheduled.' };
    }),
  };
}

const SEND_FORM = z.object({
  count: z.string(),
  when: z.enum(['now', 'later']),
  date: z.string(),
  time: z.string(),
  again: z.enum(['', 'yes']).default(''),
});

/** @throws if text on the page isn't saved in the file yet, since the file is sent */
async function readSaved(desk: WritingDesk, name: string): Promise<ReadUpdate> {
  if (readSource(desk.drafts, name) !== undefined) {
    throw new Error('Your last changes are not saved, so nothing was sent. Press “Save and show”, then send.');
  }
  return readUpdateFile(`${name}.md`, { ...desk.places, sender: desk.content });
}

/** The recipients, whether it will arrive, a test, and the sending itself. */
export async function renderSendingForms(
  desk: WritingDesk,
  name: string,
  { roles }: Writing,
  read: ReadUpdate,
  checks: Checks | undefined,
): Promise<ReactNode> {
  const plan = await planSending(desk, read);
  // People of every role.
  const everybody = await countAudience(desk.store.db, { file: read.file, textHash: read.update.textHash });
  return (
    <div className="thirds" id="send" tabIndex={-1}>
      <WhoGetsIt total={plan.audience.total} everybody={everybody} roles={roles} />
      <WillItArrive from={desk.content.agency.email} checks={checks} />
      <Panel title="Try it, then send it">
        <Form className="inline">
          <Field
            id="to"
            label="A test to"
            type="email"
            required
            defaultValue={toDisplayEmail(desk.env.NOTIFY_TO ?? desk.content.agency.email)}
          />
          <Button action="test">Send a test</Button>
        </Form>
        {plan.scheduled !== undefined && <Scheduled scheduled={plan.scheduled} sentence={plan.problem} />}
        {plan.scheduled === undefined && plan.problem !== undefined && <p className="error">{plan.problem}</p>}
        {plan.problem === undefined && <SendForm plan={plan} />}
        {[...plan.remarks, `${name}.md`].map((remark) => (
          <p key={remark} className="quiet">
            {remark}
          </p>
        ))}
      </Panel>
    </div>
  );
}

type WhoProps = { total: number; everybody: Audience; roles: string[] | undefined };

function WhoGetsIt({ total, everybody, roles }: WhoProps) {
  const others = everybody.total - total;
  return (
    <Panel title="Who gets it">
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
    </Panel>
  );
}

type WillItArriveProps = { from: string; checks: Checks | undefined };

function WillItArrive({ from, checks }: WillItArriveProps) {
  return (
    <Panel id="checks" tabIndex={-1} title="Will it arrive" note={checks && `Checked at ${formatClock(checks.at)}`}>
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
      <Form className="inline">
        <Field
          id="selector"
          label="DKIM selector"
          hint="Your mail provider names it."
          defaultValue={checks?.selector}
        />
        <Button action="check">{checks === undefined ? 'Check' : 'Check again'}</Button>
      </Form>
    </Panel>
  );
}

type ScheduledProps = { scheduled: ScheduledUpdate; sentence: ReactNode };

/** What is scheduled already, and what can be done about it. */
function Scheduled({ scheduled: { id, isSame }, sentence }: ScheduledProps) {
  return (
    <>
      <p>{sentence}</p>
      {!isSame && <ActionButton action="instead">Send this version instead</ActionButton>}
      <ActionButton action="unschedule">Cancel it</ActionButton>
      <p className="quiet">
        <a href={`/desk/updates/sent/${id}`}>How it will go out</a>
      </p>
    </>
  );
}

type SendFormProps = { plan: SendingPlan };

function SendForm({ plan: { audience, duration } }: SendFormProps) {
  const { total, hadEarlier } = audience;
  const fields = useContext(FormState).error?.fields ?? {};
  return (
    <Form>
      <fieldset>
        <legend>When</legend>
        <label className="choice">
          <input type="radio" name="when" value="now" defaultChecked={fields.when !== 'later'} />
          Now
        </label>
        <label className="choice">
          <input type="radio" name="when" value="later" defaultChecked={fields.when === 'later'} />
          At a time in London
        </label>
        <input type="date" name="date" aria-label="Day" defaultValue={fields.date} />
        <input type="time" name="time" aria-label="Time" defaultValue={fields.time ?? '09:00'} />
      </fieldset>
      {hadEarlier > 0 && (
        <label className="choice">
          <input type="checkbox" name="again" value="yes" defaultChecked={fields.again === 'yes'} />
          Also to the {formatPeople(hadEarlier)} who had an earlier version, {formatCount(total + hadEarlier)} in all
        </label>
      )}
      <div className="inline">
        <Field
          id="count"
          label={`Type ${formatCount(total)} to send it to ${formatPeople(total)}`}
          hint={`It takes ${duration}. Nobody gets it twice.`}
          inputMode="numeric"
        />
        <Button kind="filled" action="send">
          Send to {formatCount(total)}
        </Button>
      </div>
    </Form>
  );
}
