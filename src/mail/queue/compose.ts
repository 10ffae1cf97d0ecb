import type { DeliveryDetails } from '#store/new-delivery.ts';
import type { DeliveryKind, Subscriber } from '#store/schema.ts';
import { type BulkHeaders, type ComposedMail, composeLeavingNotice, composeNotice } from '../templates/compose-mail.ts';
import { fillTemplate, type MailTemplate, type ReaderLinks } from '../templates/mail-template.ts';
import { erasureMessage, type SheetMessage, signUpMessage, unsubscribeMessage } from './sheet.ts';

/** Composes each kind of delivery; who gets it and when is in src/store/delivery-kinds.ts. */
export const COMPOSERS: { [K in DeliveryKind]: Composer<K> } = {
  welcome: {
    forSubscriber: async (_, { subscriber, queuedAt }, { findText, linksOf }) =>
      composeForReader(await findText('welcome', queuedAt), linksOf(subscriber.id)),
  },
  confirmation: {
    forSubscriber: async ({ queuedAt: linkFrom }, { subscriber, queuedAt }, { findText, linksOf }) =>
      composeForReader(await findText('confirmation', queuedAt), linksOf(subscriber.id, linkFrom)),
  },
  update: {
    forSubscriber: async ({ update }, { subscriber }, { findUpdate, linksOf }) => {
      const { template, bulk } = await findUpdate(update);
      return { ...composeForReader(template, linksOf(subscriber.id)), bulk };
    },
  },
  notice: { forAgency: composeNotice },
  alert: { forAgency: (alert) => alert },
  summary: { forAgency: (summary) => summary },
  'unsubscribe-notice': { forAgency: composeLeavingNotice },
  'sheet-row': { forSheet: signUpMessage },
  'sheet-unsubscribe': { forSheet: unsubscribeMessage },
  'sheet-erasure': { forSheet: erasureMessage },
};

/** Everything a mail is composed from, beside its details and its subscriber. */
export type MailContext = {
  /** Finds the text of a mail that answers a sign-up, as it was when it was queued (an ISO time). */
  findText: (kind: 'welcome' | 'confirmation', queuedAt: string) => Promise<MailTemplate>;
  /** Finds the text of an update, and the headers by which mail programs know it. */
  findUpdate: (id: string) => Promise<{ template: MailTemplate; bulk: BulkHeaders }>;
  /** The addresses that a subscriber's mails lead to; `queuedAt` is that of a confirmation. */
  linksOf: (subscriberId: string, queuedAt?: string) => ReaderLinks;
};

export type Composer<K extends DeliveryKind = DeliveryKind> = {
  forSubscriber?: (
    details: DeliveryDetails[K],
    reader: { subscriber: Subscriber; queuedAt: string },
    context: MailContext,
  ) => Promise<ComposedMail>;
  forAgency?: (details: DeliveryDetails[K]) => ComposedMail | Promise<ComposedMail>;
  /** @param delivery its `time` is when the person signed up, or was erased */
  forSheet?: (delivery: { id: string; time: string }, details: DeliveryDetails[K]) => SheetMessage;
};

function composeForReader(template: MailTemplate, links: ReaderLinks): ComposedMail {
  return { ...fillTemplate(template, links), unsubscribeUrl: links.unsubscribe };
}
