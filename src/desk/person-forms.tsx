import { useContext } from 'react';
import { ROLES_OR_NONE } from '#content/schemas/content-schema.ts';
import { countInWords, formatShortMoment } from '#newsletter/format.ts';
import { awaitsConfirmation } from '#newsletter/subscribers/ask-again.ts';
import { SOURCE_MAX_LENGTH } from '#newsletter/subscribers/correct-person.ts';
import { canMove } from '#newsletter/subscribers/new-address.ts';
import { describeRole, describeSource } from './describe.ts';
import { listMails, type Person } from './timeline.tsx';
import { ActionButton, Button, ButtonLink, Field, Form, FormState, Panel } from './ui.tsx';

type PersonActionsProps = { person: Person; hasSheet: boolean };

/** Lists the owner's actions for a person, each with its form. */
export function PersonActions({ person, hasSheet }: PersonActionsProps) {
  const { error } = useContext(FormState);
  return (
    <Panel title="What you can do">
      <section className="action">
        <h3>They ask what you hold about them</h3>
        <p>One file with everything on this page. You have one month to answer.</p>
        <ButtonLink href={`${person.id}/export`}>Export this person</ButtonLink>
      </section>
      {canMove(person) && <NewAddressForm person={person} />}
      <section className="action">
        <h3>Their role or source is wrong</h3>
        <details open={error?.field === 'source'}>
          <summary className="button">Correct</summary>
          <CorrectForm person={person} />
        </details>
      </section>
      {awaitsConfirmation(person) && (
        <section className="action">
          <h3>They have not confirmed</h3>
          <p>If they say they didn’t get the email, check the address with them first. The link works for 30 days.</p>
          <ActionButton action="confirm-again">Send the confirmation again</ActionButton>
        </section>
      )}
      {person.state !== 'unsubscribed' && (
        <section className="action">
          <h3>They don’t want any more emails</h3>
          <p>Their record is kept, so that nobody adds them again.</p>
          <ActionButton action="unsubscribe">Unsubscribe</ActionButton>
        </section>
      )}
      <EraseForm person={person} hasSheet={hasSheet} />
    </Panel>
  );
}

type NewAddressFormProps = { person: Person };

function NewAddressForm({ person: { newAddress } }: NewAddressFormProps) {
  const { error } = useContext(FormState);
  return (
    <section className="action">
      <h3>Their address has changed</h3>
      <p>
        {newAddress === undefined
          ? 'The new address gets one email with a button. Once they press it, their history and consent move to it.'
          : `${newAddress.email} was asked on ${formatShortMoment(newAddress.queued_at)}, and has seven days to answer. Nothing changes unless they do.`}
      </p>
      <details open={error?.field === 'newAddress'}>
        <summary className="button">{newAddress === undefined ? 'Change the address' : 'Ask again'}</summary>
        <Form>
          <Field id="newAddress" label="New address" defaultValue={newAddress?.email} inputMode="email" />
          <Button action="new-address">Send the link</Button>
        </Form>
      </details>
    </section>
  );
}

type CorrectFormProps = { person: Person };

function CorrectForm({ person }: CorrectFormProps) {
  return (
    <Form>
      <Field id="role" label="Role" defaultValue={person.role} choices={ROLE_CHOICES} />
      <Field
        id="source"
        label="Came from"
        hint={describeSource(person.first_source)}
        defaultValue={person.first_source}
        required
        maxLength={SOURCE_MAX_LENGTH}
      />
      <Button action="correct">Correct</Button>
    </Form>
  );
}

const ROLE_CHOICES = Object.fromEntries(ROLES_OR_NONE.map((role) => [role, describeRole(role)]));

type EraseFormProps = { person: Person; hasSheet: boolean };

function EraseForm({ person, hasSheet }: EraseFormProps) {
  const mails = listMails(person).length;
  return (
    <section className="action">
      <h3>They ask to be erased</h3>
      <p>
        <b>Deleted:</b> the address, the role, the consent
        {mails > 0 && `, ${countInWords(mails)} ${mails === 1 ? 'email' : 'emails'}`}
        {hasSheet && ', their rows in the sheet'}.
      </p>
      <p>
        <b>Kept:</b> a code made from the address, so that an old list cannot bring them back.
      </p>
      <p>
        <b>For you to delete:</b> notices in your mailbox, files you exported, older backups.
      </p>
      <Form>
        <Field id="address" label="Type the address to erase this person" />
        <Button kind="danger" action="erase">
          Erase permanently
        </Button>
      </Form>
    </section>
  );
}
