import { toReadableEmail } from '#content/text/readable-email.ts';
import type { DeskPasskey, DeskSession } from '#newsletter/database/sign-in-schema.ts';
import { formatShortMoment } from '#newsletter/format.ts';
import { findRpId } from '#sign-in/passkeys.ts';
import { ActionButton, Button, Field, Form, Panel, Table } from './ui.tsx';

type PeopleProps = { people: string[]; session: DeskSession };

/** Lists who may sign in. After a link from the terminal, it asks for the owner's address. */
export function People({ people, session }: PeopleProps) {
  const isAsking = session.email === null;
  return (
    <Panel title="Who may sign in">
      <Table
        columns={['Address', 'Remove']}
        right={1}
        className="actions-last"
        rows={people.map((email) => [
          <>
            {toReadableEmail(email)}
            {email === session.email && <small>you</small>}
          </>,
          <ActionButton action="remove-person" values={{ email }} aria-label={`Remove ${email}`}>
            Remove
          </ActionButton>,
        ])}
        empty="Nobody yet: only a link from the terminal opens your desk."
      />
      <Form>
        <Field
          id="person"
          label={isAsking ? 'Your email address' : 'Add another person'}
          hint={isAsking ? 'Once your mail account is set up, you’ll get a link there when you sign in.' : undefined}
          type="email"
          autoComplete={isAsking ? 'email' : 'off'}
        />
        <Button action="add-person" kind={isAsking ? 'filled' : 'plain'}>
          {isAsking ? 'Save' : 'Add'}
        </Button>
      </Form>
    </Panel>
  );
}

type PasskeysProps = { passkeys: DeskPasskey[]; session: DeskSession; origin: string };

export function Passkeys({ passkeys, session, origin }: PasskeysProps) {
  return (
    <Panel title="Fingerprint, face or PIN" note="Passkeys">
      <Table
        columns={['Passkey', 'Remove']}
        right={1}
        className="actions-last"
        rows={passkeys.map(({ id, name, email, rp_id }) => [
          <>
            {name}
            <small>
              {toReadableEmail(email)}
              {rp_id !== findRpId(origin) && `, made for ${rp_id}: it doesn’t work here`}
            </small>
            <details>
              <summary aria-label={`Rename ${name} of ${email}`}>Rename</summary>
              <Form>
                <input type="hidden" name="id" value={id} />
                <Field id={`name-${id}`} name="name" label="Name" defaultValue={name} maxLength={100} />
                <Button action="rename-passkey">Save</Button>
              </Form>
            </details>
          </>,
          <ActionButton action="remove-passkey" values={{ id }} aria-label={`Remove ${name} of ${email}`}>
            Remove
          </ActionButton>,
        ])}
        empty="None yet."
      />
      {session.email === null ? (
        <p className="quiet">Save your address first; then you can add this device.</p>
      ) : (
        <div data-new-passkey hidden>
          <Button type="button">Add this device</Button>
          <p className="error" role="alert" />
        </div>
      )}
    </Panel>
  );
}

type BrowsersProps = { sessions: DeskSession[]; session: DeskSession };

export function Browsers({ sessions, session }: BrowsersProps) {
  return (
    <Panel title="Signed-in browsers">
      <Table
        columns={['Browser', 'Last used', 'Sign out']}
        right={1}
        className="actions-last"
        rows={sessions.map(({ id, browser, email, seen_at }) => [
          <>
            {browser}
            <small>
              {email === null ? 'By a link from the terminal' : toReadableEmail(email)}
              {id === session.id && ', this one'}
            </small>
          </>,
          formatShortMoment(seen_at),
          <ActionButton action="sign-out" values={{ id }} aria-label={`Sign out ${browser}`}>
            Sign out
          </ActionButton>,
        ])}
      />
      <ActionButton action="sign-out-everywhere" kind="danger">
        Sign out everywhere
      </ActionButton>
    </Panel>
  );
}
