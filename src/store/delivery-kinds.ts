import type { DeliveryKind, Subscriber } from './schema.ts';

/**
 * Says who gets each kind of delivery, and when; its content is made in src/mail/queue/mail-sender.ts. Sending, unsubscribing
 * and erasing read it here, so a new kind needs an entry in both tables and nothing else.
 */
export const DELIVERY_KINDS: Record<DeliveryKind, KindRules> = {
  welcome: {
    worker: 'mail',
    recipient: 'subscriber',
    requiredStates: ['subscribed'],
    onUnsubscribe: 'drop',
    onErase: 'delete',
  },
  confirmation: {
    worker: 'mail',
    recipient: 'subscriber',
    requiredStates: ['pending', 'unsubscribed'],
    onUnsubscribe: 'drop',
    onErase: 'delete',
  },
  update: {
    worker: 'mail',
    recipient: 'subscriber',
    requiredStates: ['subscribed'],
    onUnsubscribe: 'drop',
    onErase: 'delete',
  },
  notice: { worker: 'mail', recipient: 'agency', onUnsubscribe: 'keep', onErase: 'delete' },
  alert: { worker: 'mail', recipient: 'agency', onUnsubscribe: 'keep', onErase: 'delete' },
  summary: { worker: 'mail', recipient: 'agency', onUnsubscribe: 'keep', onErase: 'delete' },
  'unsubscribe-notice': { worker: 'mail', recipient: 'agency', onUnsubscribe: 'keep', onErase: 'delete' },
  'sheet-row': { worker: 'sheet', onUnsubscribe: 'keep', onErase: 'delete, and erase from the sheet' },
  'sheet-unsubscribe': { worker: 'sheet', onUnsubscribe: 'keep', onErase: 'delete' },
  'sheet-erasure': { worker: 'sheet', onUnsubscribe: 'keep', onErase: 'delete' },
};

/** The rules of one kind of delivery; every mail takes one place under MAIL_HOURLY_CAP. */
export type KindRules = MailToSubscriber | MailToAgency | ToSheet;

type Common = {
  /** Says whether unsubscribing drops a waiting delivery. */
  onUnsubscribe: 'drop' | 'keep';
  /** Says how an erasure treats a delivery. */
  onErase: 'delete' | 'delete, and erase from the sheet';
};

/** Waits until the mailbox has had no mail to a subscriber for a day. */
type MailToSubscriber = Common & {
  worker: 'mail';
  recipient: 'subscriber';
  /** The mail is dropped when its subscriber is in another state by the time it is due. */
  requiredStates: Subscriber['state'][];
};

type MailToAgency = Common & { worker: 'mail'; recipient: 'agency' };

type ToSheet = Common & { worker: 'sheet' };

/** The kinds whose rules say so. */
export function kindsWith(matches: (rules: KindRules) => boolean): DeliveryKind[] {
  return (Object.keys(DELIVERY_KINDS) as DeliveryKind[]).filter((kind) => matches(DELIVERY_KINDS[kind]));
}
