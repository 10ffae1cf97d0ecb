import type { EncodedTemplate } from '../mail/encode-template.ts';
import type { ReaderLinks } from '../mail/mail-template.ts';
import type { DeliveryKind, Subscriber } from '../store/schema.ts';
import { type BulkHeaders, type ComposedMail, composeLeavingNotice, composeNotice } from './compose-mail.ts';
import type { DeliveryDetails } from './queue.ts';
import { erasureMessage, type SheetMessage, signUpMessage, unsubscribeMessage } from './sheet.ts';

/**
 * Everything that differs between kinds of delivery. Claiming, sending, unsubscribing and erasing read it here, so a
 * new kind needs its entry and nothing else.
 */
export const DELIVERY_KINDS: { [K in DeliveryKind]: KindRules<K> } = {
  welcome: {
    worker: 'mail',
    priority: 1,
    recipient: 'subscriber',
    requiredState: 'subscribed',
    isOnePerDay: true,
    onUnsubscribe: 'drop',
    onErase: 'delete',
    compose: (_, subscriber, { signUpMails, linksOf }) => composeForReader(signUpMails.welcome, linksOf(subscriber.id)),
  },
  confirmation: {
    worker: 'mail',
    priority: 1,
    recipient: 'subscriber',
    requiredState: 'pending',
    isOnePerDay: true,
    onUnsubscribe: 'drop',
    onErase: 'delete',
    compose: (_, subscriber, { signUpMails, linksOf }) =>
      composeForReader(signUpMails.confirmation, linksOf(subscriber.id)),
  },
  update: {
    worker: 'mail',
    priority: 2,
    recipient: 'subscriber',
    requiredState: 'subscribed',
    isOnePerDay: true,
    onUnsubscribe: 'drop',
    onErase: 'delete',
    compose: async ({ update }, subscriber, { findUpdate, linksOf }) => {
      const { template, bulk } = await findUpdate(update);
      return { ...composeForReader(template, linksOf(subscriber.id)), bulk };
    },
  },
  notice: {
    worker: 'mail',
    priority: 1,
    recipient: 'agency',
    onUnsubscribe: 'keep',
    onErase: 'delete',
    compose: composeNotice,
  },
  alert: {
    worker: 'mail',
    priority: 1,
    recipient: 'agency',
    onUnsubscribe: 'keep',
    onErase: 'delete',
    compose: (alert) => alert,
  },
  summary: {
    worker: 'mail',
    priority: 1,
    recipient: 'agency',
    onUnsubscribe: 'keep',
    onErase: 'delete',
    compose: (summary) => summary,
  },
  'unsubscribe-notice': {
    worker: 'mail',
    priority: 1,
    recipient: 'agency',
    onUnsubscribe: 'keep',
    onErase: 'delete',
    compose: composeLeavingNotice,
  },
  'sheet-row': {
    worker: 'sheet',
    onUnsubscribe: 'keep',
    onErase: 'delete, and erase from the sheet',
    message: signUpMessage,
  },
  'sheet-unsubscribe': {
    worker: 'sheet',
    onUnsubscribe: 'keep',
    onErase: 'delete',
    message: unsubscribeMessage,
  },
  'sheet-erasure': {
    worker: 'sheet',
    onUnsubscribe: 'keep',
    onErase: 'delete',
    message: erasureMessage,
  },
};

/** The rules of one kind of delivery. */
export type KindRules<K extends DeliveryKind = DeliveryKind> = MailToSubscriber<K> | MailToAgency<K> | ToSheet<K>;

/** What a mail is composed from, beside its details and its subscriber. */
export type MailContext = {
  signUpMails: Record<'welcome' | 'confirmation', EncodedTemplate>;
  /** What an update says, and by which headers mail programs know it. */
  findUpdate: (id: string) => Promise<{ template: EncodedTemplate; bulk: BulkHeaders }>;
  /** The addresses that a subscriber's mails lead to. */
  linksOf: (subscriberId: string) => ReaderLinks;
};

type Common = {
  /** What happens to a waiting delivery when its subscriber unsubscribes. */
  onUnsubscribe: 'drop' | 'keep';
  /** What happens to a delivery when its subscriber is erased. */
  onErase: 'delete' | 'delete, and erase from the sheet';
};

/** Every mail takes one place under MAIL_HOURLY_CAP. */
type Mail = Common & {
  worker: 'mail';
  /** Due mails of a lower number go first. */
  priority: 1 | 2;
};

type MailToSubscriber<K extends DeliveryKind> = Mail & {
  recipient: 'subscriber';
  /** The mail is dropped when its subscriber is in another state by the time it is due. */
  requiredState: Subscriber['state'];
  /** Waits until the mailbox has had no such mail for a day. */
  isOnePerDay: boolean;
  compose: (
    details: DeliveryDetails[K],
    subscriber: Subscriber,
    context: MailContext,
  ) => ComposedMail | Promise<ComposedMail>;
};

type MailToAgency<K extends DeliveryKind> = Mail & {
  recipient: 'agency';
  compose: (details: DeliveryDetails[K]) => ComposedMail | Promise<ComposedMail>;
};

type ToSheet<K extends DeliveryKind> = Common & {
  worker: 'sheet';
  /** @param delivery its `time` is when the person signed up, or was erased */
  message: (delivery: { id: string; time: string }, details: DeliveryDetails[K]) => SheetMessage;
};

function composeForReader({ subject, partsFor }: EncodedTemplate, links: ReaderLinks): ComposedMail {
  return { subject, parts: partsFor(links), unsubscribeUrl: links.unsubscribe };
}

/** The kinds whose rules say so. */
export function kindsWith(matches: (rules: KindRules) => boolean): DeliveryKind[] {
  return (Object.keys(DELIVERY_KINDS) as DeliveryKind[]).filter((kind) => matches(DELIVERY_KINDS[kind] as KindRules));
}
