import type { Kysely } from 'kysely';
import type { readSubscriber } from '#newsletter/subscribers/read-subscribers.ts';
import { NEW_ADDRESS } from '#newsletter/subscribers/new-address.ts';
import { isUndo } from '#newsletter/subscribers/undo-unsubscribe.ts';
import { listUpdates } from '#newsletter/updates/update-progress.ts';
import { DELIVERY_KINDS } from '#newsletter/deliveries/queue/delivery-kinds.ts';
import type { Delivery, Schema } from '#newsletter/database/schema.ts';
import { capitalise, formatDate, formatShortMoment, isDay } from '#newsletter/format.ts';
import { KINDS } from './describe.ts';
import { Dot, type DotKind, Panel } from './ui.tsx';

export type Person = NonNullable<Awaited<ReturnType<typeof readSubscriber>>>;

type TimelineProps = { moments: Moment[] };

export function Timeline({ moments }: TimelineProps) {
  return (
    <Panel title="Emails and consent">
      <ol className="timeline">
        {moments.map(({ at, what, detail, dot }) => (
          <li key={`${at} ${what}`}>
            <Dot kind={dot} />
            <span className="hint">{isDay(at) ? formatDate(at) : formatShortMoment(at)}</span>
            <div>
              <b>{what}</b>
              {detail !== undefined && <small>{detail}</small>}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

type Moment = { at: string; what: string; detail?: string; dot: DotKind };

/** Lists every email to a person and every change to their consent, newest first. */
export async function readMoments(db: Kysely<Schema>, person: Person): Promise<Moment[]> {
  const subjects = new Map((await listUpdates(db)).map(({ id, subject }) => [id, subject]));
  return [
    ...person.consents.map(describeConsent),
    ...listMails(person).map((mail) => describeMail(mail, subjects.get(mail.update_id ?? ''))),
    ...(person.state === 'undeliverable' ? [describeBounce(person)] : []),
  ].toSorted((one, other) => other.at.localeCompare(one.at));
}

export function listMails({ deliveries }: Person): Delivery[] {
  const toPerson = new Set(['subscriber', 'new address']);
  return deliveries.filter(({ kind }) => toPerson.has(DELIVERY_KINDS[kind].recipient));
}

function describeConsent({ event, at, form, source }: Person['consents'][number]): Moment {
  if (event === 'confirmed') {
    const what = source === NEW_ADDRESS ? 'They changed to this address' : 'They confirmed their address';
    return { at, what, dot: 'done' };
  }
  if (isUndo(source)) return { at, what: 'Back on the list', detail: capitalise(source), dot: 'done' };
  if (event === 'given') return { at, what: form === null ? 'They agreed' : 'They signed up', dot: 'done' };
  if (/^(desk|command)\b/.test(source)) return { at, what: 'You unsubscribed them', dot: 'left' };
  return { at, what: 'They unsubscribed', detail: `By ${source}`, dot: 'left' };
}

function describeMail(mail: Delivery, subject: string | undefined): Moment {
  const { kind, state, queued_at, due_at, finished_at, last_error: error } = mail;
  const what = subject === undefined ? KINDS[kind] : `${KINDS[kind]}: ${subject}`;
  const at = finished_at ?? queued_at;
  switch (state) {
    case 'sent':
      return { at, what, detail: 'Sent; no mail server has reported a problem', dot: 'done' };
    case 'failed':
      return { at, what, detail: `Not delivered: ${error ?? 'no reason was recorded'}`, dot: 'rejected' };
    case 'dropped':
      return { at, what, detail: 'Not sent: it was withdrawn first', dot: 'left' };
    default: {
      const lastTry = error === null ? '' : `Last attempt: ${error}. `;
      return { at, what, detail: `${lastTry}Due ${formatShortMoment(due_at)}`, dot: 'waiting' };
    }
  }
}

function describeBounce({ state_changed_at: at, undeliverable_reason: reason }: Person): Moment {
  const detail = `${capitalise(reason ?? 'no reason was recorded')}. Marked as undeliverable; they won’t be sent anything more.`;
  return { at, what: 'An email bounced', detail, dot: 'rejected' };
}
