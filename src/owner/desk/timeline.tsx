import type { Delivery } from '#store/schema.ts';
import { Dot, Part } from './frame.tsx';
import type { Person } from './person.tsx';
import { capitalise, formatShortMoment } from './words.ts';

/** Every mail to a person and every change of their consent, the newest first. */
export function Timeline({ person }: { person: Person }) {
  const moments = [
    ...person.consents.map(describeConsent),
    ...person.deliveries.flatMap((delivery) => describeDelivery(delivery, person.subjects)),
    ...describeBounce(person),
  ];
  return (
    <Part title="Every mail to them">
      <ol className="timeline">
        {moments
          .toSorted((one, other) => other.at.localeCompare(one.at))
          .map(({ at, what, detail, dot }) => (
            <li key={`${at} ${what}`}>
              <Dot kind={dot} />
              <span className="hint">{formatShortMoment(at)}</span>
              <div>
                <b>{what}</b>
                {detail !== undefined && <small>{detail}</small>}
              </div>
            </li>
          ))}
      </ol>
    </Part>
  );
}

type Moment = { at: string; what: string; detail?: string; dot: 'done' | 'refused' | 'left' | 'waiting' };

function describeConsent({ event, at, source }: Person['consents'][number]): Moment {
  const what = {
    given: 'They signed up',
    confirmed: 'They confirmed their address',
    withdrawn: 'They unsubscribed',
    erased: 'Erased',
  }[event];
  return event === 'withdrawn' ? { at, what, detail: `By ${source}`, dot: 'left' } : { at, what, dot: 'done' };
}

function describeDelivery(
  { kind, state, update_id, queued_at, due_at, finished_at, last_error }: Delivery,
  subjects: Person['subjects'],
): Moment[] {
  const name = MAILS[kind];
  if (name === undefined) return [];
  const subject = subjects.get(update_id ?? '');
  const what = subject === undefined ? name : `${name}: ${subject}`;
  const at = finished_at ?? queued_at;
  if (state === 'sent') return [{ at, what, detail: 'Accepted by their mail server', dot: 'done' }];
  if (state === 'failed')
    return [{ at, what, detail: `Not delivered: ${last_error ?? 'no reason was noted'}`, dot: 'refused' }];
  if (state === 'dropped') return [{ at, what, detail: 'Not sent: they were to get no more mail', dot: 'left' }];
  const tried = last_error === null ? '' : `Last try: ${last_error}. `;
  return [{ at, what, detail: `${tried}Waits until ${formatShortMoment(due_at)}`, dot: 'waiting' }];
}

const MAILS: Partial<Record<Delivery['kind'], string>> = {
  welcome: 'Welcome mail',
  confirmation: 'Confirmation mail',
  update: 'Update',
};

function describeBounce({ state, state_changed_at: at, undeliverable_reason: reason }: Person): Moment[] {
  if (state !== 'undeliverable') return [];
  return [
    {
      at,
      what: 'Mail came back',
      detail: `${capitalise(reason ?? 'no reason was noted')}. Marked as undeliverable; nothing more is sent.`,
      dot: 'refused',
    },
  ];
}
