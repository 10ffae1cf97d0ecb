import { type ReactNode, useContext } from 'react';
import { z } from 'zod';
import { toDisplayEmail } from '#newsletter/subscribers/email.ts';
import { type Audience, countAudience } from '#newsletter/updates/audience.ts';
import { ROLES_OR_NONE } from '#content/schemas/content-schema.ts';
import { checkSender, type SenderFinding } from '#newsletter/updates/sender-findings.ts';

import {
  describeReplacement,
  describeSendingTime,
  parseFutureTime,
  planSending,
  queueForSending,
  readCaps,
  sendInstead,
  type SendingPlan,
} from '#newsletter/updates/plan-sending.ts';
import { findScheduled, type ScheduledUpdate } from '#newsletter/updates/queue-update.ts';
import { cancelUpdate } from '#newsletter/updates/update-state.ts';
import { readEmail, sendTestMail } from '#newsletter/updates/send-test-mail.ts';
import { type ReadUpdate, readUpdateFile } from '#newsletter/updates/read-update-file.ts';
import { readSource } from '#newsletter/updates/stored-emails.ts';
import { type Writing, writingPath } from '#newsletter/updates/update-files.ts';
import type { SendingCaps } from '#newsletter/deliveries/queue/mail-limits.ts';
import {
  capitalise,
  formatClock,
  formatCount,
  formatMoment,
  formatPeople,
  removeSeparators,
} from '#newsletter/format.ts';
import { type Action, createAction } from './handle-forms.ts';
import type { WritingDesk } from './desk-types.ts';
import { describeRole } from './describe.ts';
import { Button, Form, FormState, Field, Items, Panel } from './ui.tsx';

export type Checks = { selector: string; at: number; findings: SenderFinding[] };

/** Creates the actions that check the sender, send a test, and send the update. @param checks holds the last check */
export function createSendActions(desk: WritingDesk, checks: { last?: Checks }): Record<string, Action> {
  return {
    check: createAction(
      z.object({ selector: z.string() }),
      async ({ selector }, { req }) => {
        // Providers show the record's whole name, such as s1._domainkey.example.org.
        const [name] = selector.trim().split('._domainkey');
        const findings = await checkSender(desk.content.agency.email, name || undefined, desk.env.SMTP_URL);
        checks.last = { selector, at: Date.now(), findings };
        return { to: `${writingPath(req.param('name')!)}#checks` };
      },
      'selector',
    ),
    test: createAction(
      z.object({ to: z.string(), revision: z.string() }),
      async ({ to, revision }, { req }) => {
        const address = readEmail(to);
        await sendTestMail(
          { ...desk, agency: desk.content.agency },
          await readShown(desk, req.param('name')!, revision),
          address,
        );
        return { notice: `A test has been sent to ${toDisplayEmail(address)}.` };
      },
      'to',
    ),
    send: createAction(
      SEND_FORM,
      async ({ count, when, date, time, again, revision }, { req }) => {
        if (when === 'later' && !date) throw new Error('Choose the day it should go out. Nothing was sent.');
        const update = await readShown(desk, req.param('name')!, revision);
        const sendAt = when === 'later' ? parseFutureTime(`${date}T${time}`) : undefined;
        const plan = await planSending(desk, update, { sendAt, again: again === 'yes' });
        if (plan.problem !== undefined) throw new Error(`${plan.problem} Nothing was sent.`);
        const { total } = plan.audience;
        // If nobody is left, queueing says why.
        if (total > 0 && removeSeparators(count) !== String(total)) {
          throw new Error(
            `You typed ${count || 'nothing'}, but this goes to ${formatPeople(total)}. Nothing was sent. Type ${formatCount(total)}, or change who gets it.`,
          );
        }
        return { to: `/desk/updates/sent/${await queueForSending(desk, update, plan)}` };
      },
      'count',
    ),
    instead: createAction(SHOWN, async ({ revision }, { req }) => {
      const { isPaused } = await sendInstead(desk, await readShown(desk, req.param('name')!, revision));
      return { notice: capitalise(describeReplacement(isPaused)) };
    }),
    unschedule: createAction(SHOWN, async ({ revision }, { req }) => {
      const { file, update } = await readShown(desk, req.param('name')!, revision);
      const scheduled = await findScheduled(desk.store.db, { file, textHash: update.textHash });
      const cancelled = scheduled && (await cancelUpdate(desk.store, scheduled.id, Date.now()));
      return {
        notice: cancelled ? 'Cancelled. The scheduled update won’t be sent.' : 'This update was no longer scheduled.',
      };
    }),
  };
}

const SHOWN = z.object({ revision: z.string() });

const SEND_FORM = z.object({
  count: z.string(),
  when: z.enum(['now', 'later']),
  date: z.string(),
  time: z.string(),
  again: z.enum(['', 'yes']).default(''),
  revision: z.string(),
});

/** @throws if the text has changed since the page with the form was shown */
async function readShown(desk: WritingDesk, name: string, revision: string): Promise<ReadUpdate> {
  const source = await readSource(desk.store.db, desk.places.updates, name);
  if (String(source?.revision) !== revision) {
    throw new Error(
      'This update has changed since this page was shown, so nothing was done. Review it, then try again.',
    );
  }
  return readUpdateFile(`${name}.md`, { ...desk.places, db: desk.store.db, sender: desk.content });
}

/**
 * Renders the recipients, the sender check, the test and the form that sends the update.
 * @param options.me the email address of the signed-in person
 */
export async function renderSendingForms(
  desk: WritingDesk,
  { roles, revision }: Writing & { revision: number },
  read: ReadUpdate,
  { checks, me }: { checks: Checks | undefined; me: string | undefined },
): Promise<ReactNode> {
  const plan = await planSending(desk, read);
  // The recipients of every role, not only of those chosen.
  const everybody = await countAudience(desk.store.db, { file: read.file, textHash: read.update.textHash });
  return (
    <div className="thirds" id="send" tabIndex={-1}>
      <WhoGetsIt total={plan.audience.total} everybody={everybody} roles={roles} />
      <WillItArrive from={desk.content.agency.email} checks={checks} />
      <Panel title="Test it, then send it">
        <Form className="inline">
          <input type="hidden" name="revision" value={revision} />
          <Field
            id="to"
            label="Send a test to"
            type="email"
            required
            defaultValue={toDisplayEmail(desk.env.NOTIFY_TO ?? me ?? desk.content.agency.email)}
          />
          <Button action="test">Send a test</Button>
        </Form>
        {plan.scheduled !== undefined && (
          <Scheduled scheduled={plan.scheduled} sentence={plan.problem} revision={revision} />
        )}
        {plan.scheduled === undefined && plan.problem !== undefined && <p className="error">{plan.problem}</p>}
        {plan.problem === undefined && (
          <SendForm plan={plan} caps={readCaps(desk.env)} revision={revision} now={Date.now()} />
        )}
        {plan.remarks.map((remark) => (
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
          {total === 1 ? 'person' : 'people'} would get it now.{' '}
          {everybody.total > total && `With every role ticked, it would be ${formatCount(everybody.total)}.`}
        </span>
      </p>
      <p className="quiet">Save to update the count.</p>
    </Panel>
  );
}

type WillItArriveProps = { from: string; checks: Checks | undefined };

function WillItArrive({ from, checks }: WillItArriveProps) {
  return (
    <Panel id="checks" tabIndex={-1} title="Will it arrive?" note={checks && `Checked ${formatMoment(checks.at)}`}>
      {checks === undefined && <p>This checks whether mail servers will trust emails from {toDisplayEmail(from)}.</p>}
      <Items
        items={(checks?.findings ?? []).map(({ what, isFine, isUnknown, found, advice }) => ({
          dot: isFine ? 'done' : isUnknown ? 'waiting' : 'rejected',
          title: `${what}: ${isFine ? 'no problems' : found}`,
          details: advice ? [advice] : [],
        }))}
      />
      <Form className="inline">
        <Field
          id="selector"
          label="DKIM selector"
          hint="Your mail provider tells you this. Without it, DKIM isn’t checked."
          defaultValue={checks?.selector}
        />
        <Button action="check">{checks === undefined ? 'Check' : 'Check again'}</Button>
      </Form>
    </Panel>
  );
}

type ScheduledProps = { scheduled: ScheduledUpdate; sentence: ReactNode; revision: number };

/** Shows the scheduled version, and the actions on it. */
function Scheduled({ scheduled: { id, isSame }, sentence, revision }: ScheduledProps) {
  return (
    <>
      <p>{sentence}</p>
      <Form className="inline">
        <input type="hidden" name="revision" value={revision} />
        {!isSame && <Button action="instead">Send this version instead</Button>}
        <Button action="unschedule">Cancel the scheduled update</Button>
      </Form>
      <p className="quiet">
        <a href={`/desk/updates/sent/${id}`}>See the scheduled update</a>
      </p>
    </>
  );
}

type SendFormProps = { plan: SendingPlan; caps: SendingCaps; revision: number; now: number };

function SendForm({ plan: { audience }, caps, revision, now }: SendFormProps) {
  const { total, hadEarlier } = audience;
  const isOnlyAgain = total === 0;
  const people = isOnlyAgain ? hadEarlier : total;
  const all = total + hadEarlier;
  // The box decides how many people get it.
  const orWithBox = (text: string) => (isOnlyAgain || hadEarlier === 0 ? '' : `, or ${text} if you tick the box`);
  const [takes, takesAll] = [people, all].map((count) => describeSendingTime(count, caps));
  const fields = useContext(FormState).error?.fields ?? {};
  return (
    <Form>
      <input type="hidden" name="revision" value={revision} />
      <fieldset>
        <legend>When</legend>
        <label className="choice">
          <input type="radio" name="when" value="now" defaultChecked={fields.when !== 'later'} />
          Now
        </label>
        <label className="choice">
          <input type="radio" name="when" value="later" defaultChecked={fields.when === 'later'} />
          Later (London time)
        </label>
        <input type="date" name="date" aria-label="Day" defaultValue={fields.date} />
        <input type="time" name="time" aria-label="Time" defaultValue={fields.time ?? '09:00'} />
        <span className="hint">It is now {formatClock(now)}.</span>
      </fieldset>
      {hadEarlier > 0 && (
        <label className="choice">
          <input type="checkbox" name="again" value="yes" defaultChecked={fields.again === 'yes'} />
          Also send it to the {formatPeople(hadEarlier)} who got an earlier version, {formatCount(all)} in all
        </label>
      )}
      <div className="inline">
        <Field
          id="count"
          label={`${isOnlyAgain ? 'Tick the box, then type' : 'Type'} ${formatCount(people)} to send it to ${formatPeople(people)}${orWithBox(formatCount(all))}`}
          hint={`At your sending limits, it will take ${takes}${takes === takesAll ? '' : orWithBox(takesAll!)}. Nobody will get this version twice.`}
          inputMode="numeric"
        />
        <Button kind="filled" action="send">
          {people === all ? `Send to ${formatCount(people)}` : 'Send'}
        </Button>
      </div>
    </Form>
  );
}
