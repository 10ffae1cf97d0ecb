import { agency } from 'virtual:content';
import type { Audience } from '#mail/updates/audience.ts';
import type { Finding } from '#mail/updates/sender-findings.ts';
import type { ReadUpdate } from '../updates/read-update-file.ts';
import type { SendingPlan } from '../updates/send.ts';
import type { Desk } from './desk-types.ts';
import { ActionForm, Dot, Input, Part } from './frame.tsx';
import { ROLES, type Writing, writingPath } from './update-files.ts';
import type { Mistake } from './writing-form.tsx';
import { formatClock, people } from './words.ts';

export type Checks = { selector: string; at: number; findings: Finding[] };

/** The audience, whether it arrives, a test, and the sending itself. */
export function Sending({
  desk,
  name,
  update,
  writing,
  plan,
  byRole,
  checks,
  mistake,
}: {
  desk: Desk;
  name: string;
  update: ReadUpdate;
  writing: Writing;
  plan: SendingPlan;
  byRole: Audience['byRole'];
  checks: Checks | undefined;
  mistake: Mistake;
}) {
  return (
    <div className="thirds" id="send">
      <WhoGetsIt audience={plan.audience} byRole={byRole} roles={writing.roles} />
      <WillItArrive desk={desk} name={name} checks={checks} />
      <Part title="Try it, then send it">
        <ActionForm desk={desk} action={`${writingPath(name)}/test`}>
          <Input
            id="to"
            label="A test to"
            error={mistake.test}
            type="email"
            required
            defaultValue={mistake.test ? mistake.typed : (desk.env.NOTIFY_TO ?? agency.email)}
          />
          <button className="button" type="submit">
            Send a test
          </button>
        </ActionForm>
        {plan.problem === undefined ? (
          <SendForm desk={desk} name={name} plan={plan} mistake={mistake} />
        ) : (
          <p className="error">{plan.problem}</p>
        )}
        {plan.remarks.map((remark) => (
          <p key={remark} className="quiet">
            {remark}
          </p>
        ))}
        <p className="quiet">{update.file}</p>
      </Part>
    </div>
  );
}

function WhoGetsIt({
  audience,
  byRole,
  roles,
}: {
  audience: Audience;
  byRole: Audience['byRole'];
  roles: string[] | undefined;
}) {
  const all = byRole.reduce((sum, { count }) => sum + count, 0);
  return (
    <Part title="Who gets it">
      <fieldset className="rows">
        <legend className="skip">Roles</legend>
        {ROLES.map((role) => (
          <label key={role} className="choice">
            <input
              type="checkbox"
              name="roles"
              value={role}
              form="write"
              defaultChecked={roles === undefined || roles.includes(role)}
            />
            {role || 'Role not given'}
            <span className="number">{byRole.find((each) => each.role === role)?.count ?? 0}</span>
          </label>
        ))}
      </fieldset>
      <p className="figure">
        <b>{audience.total.toLocaleString('en-GB')}</b>
        <span>
          {audience.total === 1 ? 'person gets' : 'people get'} it.{' '}
          {all - audience.total > 0 && `${all - audience.total} have another role or had it before.`}
        </span>
      </p>
      <p className="quiet">Save to count again.</p>
    </Part>
  );
}

function WillItArrive({ desk, name, checks }: { desk: Desk; name: string; checks: Checks | undefined }) {
  return (
    <Part title="Will it arrive" note={checks && `Checked at ${formatClock(checks.at)}`}>
      {checks === undefined && (
        <p id="checks">Asks the internet whether mail servers will trust mails from {agency.email}.</p>
      )}
      <ul className="todo" id={checks && 'checks'}>
        {checks?.findings.map(({ what, isFine, found, advice }) => (
          <li key={what}>
            <Dot kind={isFine ? 'done' : 'refused'} />
            <div>
              <h3>
                {what}: {isFine ? 'in order' : found}
              </h3>
              {advice !== undefined && <p className="quiet">{advice}</p>}
            </div>
          </li>
        ))}
      </ul>
      <ActionForm desk={desk} action={`${writingPath(name)}/check`}>
        <Input
          id="selector"
          label="DKIM selector"
          hint="Your mail provider names it."
          defaultValue={checks?.selector}
        />
        <button className="button" type="submit">
          {checks === undefined ? 'Check' : 'Check again'}
        </button>
      </ActionForm>
    </Part>
  );
}

function SendForm({
  desk,
  name,
  plan: { audience, duration },
  mistake,
}: {
  desk: Desk;
  name: string;
  plan: SendingPlan;
  mistake: Mistake;
}) {
  const { total } = audience;
  return (
    <ActionForm desk={desk} action={`${writingPath(name)}/send`}>
      <fieldset>
        <legend>When</legend>
        <label className="choice">
          <input type="radio" name="when" value="now" defaultChecked />
          Now
        </label>
        <label className="choice">
          <input type="radio" name="when" value="later" />
          At a time in London
        </label>
        <div className="pair">
          <input type="date" name="date" aria-label="Day" />
          <input type="time" name="time" aria-label="Time" defaultValue="09:00" />
        </div>
      </fieldset>
      <Input
        id="typed"
        label={`Type ${total} to send it to ${people(total)}`}
        hint={`It takes ${duration}. Nobody gets it twice.`}
        error={mistake.send}
        inputMode="numeric"
        defaultValue={mistake.send === undefined ? undefined : mistake.typed}
      />
      <button className="button filled" type="submit">
        Send to {total}
      </button>
    </ActionForm>
  );
}
