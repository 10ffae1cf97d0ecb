import type { DeliveryKind, Subscriber } from './schema.ts';

/**
 * Says who gets each kind of delivery, and when; its content is made in src/mail/queue/mail-sender.ts. Sending, unsubscribing
 * and erasing read it here, so a new kind needs an entry in both tables and nothing else.
 */
export const DELIVERY_KINDS: Record<DeliveryKind, KindRules> = {
  welcome: {
    worker: 'mail',
    priority: 1,
    recipient: 'subscriber',
    requiredStates: ['subscribed'],
    isOnePerDay: true,
    onUnsubscribe: 'drop',
    onErase: 'delete',
  },
  confirmation: {
    worker: 'mail',
    priority: 1,
    recipient: 'subscriber',
    requiredStates: ['pending', 'unsubscribed'],
    isOnePerDay: true,
    onUnsubscribe: 'drop',
    onErase: 'delete',
  },
  update: {
    worker: 'mail',
    priority: 2,
    recipient: 'subscriber',
    requiredStates: ['subscribed'],
    isOnePerDay: true,
    onUnsubscribe: 'drop',
    onErase: 'delete',
  },
  notice: { worker: 'mail', priority: 1, recipient: 'agency', onUnsubscribe: 'keep', onErase: 'delete' },
  alert: { worker: 'mail', priority: 1, recipient: 'agency', onUnsubscribe: 'keep', onErase: 'delete' },
  summary: { worker: 'mail', priority: 1, recipient: 'agency', onUnsubscribe: 'keep', onErase: 'delete' },
  'unsubscribe-notice': { worker: 'mail', priority: 1, recipient: 'agency', onUnsubscribe: 'keep', onErase: 'delete' },
  'sheet-row': { worker: 'sheet', onUnsubscribe: 'keep', onErase: 'delete, and erase from the sheet' },
  'sheet-unsubscribe': { worker: 'sheet', onUnsubscribe: 'keep', onErase: 'delete' },
  'sheet-erasure': { worker: 'sheet', onUnsubscribe: 'keep', onErase: 'delete' },
};

/** The rules of one kind of delivery. */
export type KindRules = MailToSubscriber | MailToAgency | ToSheet;

type Common = {
  /** Says whether unsubscribing drops a waiting delivery. */
  onUnsubscribe: 'drop' | 'keep';
  /** Says how an erasure treats a delivery. */
  onErase: 'delete' | 'delete, and erase from the sheet';
};

/** Every mail takes one place under MAIL_HOURLY_CAP. */
type Mail = Common & {
  worker: 'mail';
  /** Due mails of a lower number go first. */
  priority: 1 | 2;
};

type MailToSubscriber = Mail & {
  recipient: 'subscriber';
  /** The mail is dropped when its subscriber is in another state by the time it is due. */
  requiredStates: Subscriber['state'][];
  /** Waits until the mailbox has had no such mail for a day. */
  isOnePerDay: boolean;
};

type MailToAgency = Mail & { recipient: 'agency' };

type ToSheet = Common & { worker: 'sheet' };

/** The kinds whose rules say so. */
export function kindsWith(matches: (rules: KindRules) => boolean): DeliveryKind[] {
  return (Object.keys(DELIVERY_KINDS) as DeliveryKind[]).filter((kind) => matches(DELIVERY_KINDS[kind]));
}
