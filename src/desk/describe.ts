import type { SubscriberState } from '#newsletter/subscribers/read-subscribers.ts';
import type { UpdateProgress } from '#newsletter/updates/update-progress.ts';
import { splitSource } from '#shared/sign-up-rules.ts';
import type { DeliveryKind } from '#newsletter/database/schema.ts';
import { formatCount, formatMoment, formatPeople } from '#newsletter/format.ts';
import type { DotKind } from './ui.tsx';

/** The label of each state of a person, with its dot. */
export const STATES: Record<SubscriberState, { label: string; dot: DotKind }> = {
  subscribed: { label: 'Subscribed', dot: 'done' },
  pending: { label: 'Not confirmed', dot: 'left' },
  unsubscribed: { label: 'Unsubscribed', dot: 'left' },
  undeliverable: { label: 'Undeliverable', dot: 'refused' },
};

export function describeRole(role: string): string {
  return role || 'Role not given';
}

/** `Footer | utm_source=linkedin` is the form in the footer, then the site that linked to it. */
export function describeSource(source: string): string {
  const { form, campaign } = splitSource(source);
  const name = form === 'Founder' || form === 'Footer' ? `${form} form` : form;
  const [, from] = /utm_source=([^&]+)/.exec(campaign) ?? [];
  return [name, from ?? campaign].filter(Boolean).join(', ');
}

/** Each kind of delivery in the owner's words. */
export const KINDS: Record<DeliveryKind, string> = {
  welcome: 'Welcome email',
  confirmation: 'Confirmation email',
  renewal: 'Question whether they still want updates',
  update: 'Update',
  notice: 'Notice to you',
  alert: 'Alert to you',
  summary: 'Your weekly email',
  'unsubscribe-notice': 'Notice to you',
  'sheet-row': 'Row of your sheet',
  'sheet-unsubscribe': 'Mark in your sheet',
  'sheet-erasure': 'Erasure in your sheet',
};

/** How far an update is, in a sentence. */
export function describeProgress(progress: UpdateProgress): string {
  const { state, sent, failed, dropped, recipients, send_at, outage } = progress;
  if (outage !== undefined) return 'Waiting: your mail server takes no email';
  switch (state) {
    case 'scheduled':
      return `Goes to ${formatPeople(recipients)} on ${formatMoment(send_at)}`;
    case 'paused':
      return `Paused after ${formatCount(sent + failed + dropped)} of ${formatPeople(recipients)}`;
    case 'cancelled':
      return sent === 0 ? 'Cancelled: it went to nobody' : `Cancelled after ${formatPeople(sent)}`;
    case 'missed':
      return 'Not sent: no server was running at its time';
    case 'sent':
      return `Sent to ${formatPeople(sent)}`;
    default:
      return `Sending to ${formatPeople(recipients)}`;
  }
}
