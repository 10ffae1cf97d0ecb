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
  undeliverable: { label: 'Undeliverable', dot: 'rejected' },
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

/** The owner's name for each kind of delivery. */
export const KINDS: Record<DeliveryKind, string> = {
  welcome: 'Welcome email',
  confirmation: 'Confirmation email',
  'new-address': 'Email to their new address',
  renewal: 'Email asking whether they still want updates',
  update: 'Update',
  notice: 'Notice to you',
  alert: 'Alert to you',
  summary: 'Your weekly email',
  'unsubscribe-notice': 'Notice to you',
  'sheet-row': 'Row in your sheet',
  'sheet-unsubscribe': 'Mark in your sheet',
  'sheet-erasure': 'Deletion from your sheet',
};

/** Describes an update's progress in a sentence. */
export function describeProgress(progress: UpdateProgress): string {
  const { state, state_reason, sent, sending, failed, dropped, recipients, send_at, outage } = progress;
  if (outage !== undefined) return 'Waiting: your mail server isn’t accepting email';
  switch (state) {
    case 'scheduled':
      return `Scheduled for ${formatPeople(recipients)} on ${formatMoment(send_at)}`;
    case 'paused':
      return `Paused after ${formatCount(sent + failed + dropped)} of ${formatPeople(recipients)}`;
    case 'cancelled':
      if (sent === 0 && sending > 0) return `Cancelled, but already on its way to ${formatPeople(sending)}`;
      return sent === 0 ? 'Cancelled before anybody got it' : `Cancelled after reaching ${formatPeople(sent)}`;
    case 'missed':
      return `Not sent: ${state_reason ?? 'no reason was recorded'}`;
    case 'sent':
      return `Sent to ${formatPeople(sent)}`;
    default:
      return `Sending to ${formatPeople(recipients)}`;
  }
}
