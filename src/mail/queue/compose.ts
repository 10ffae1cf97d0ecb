import type { DeliveryDetails } from '#store/new-delivery.ts';
import type { DeliveryKind } from '#store/schema.ts';
import { type BulkHeaders, type ComposedMail, composeLeavingNotice, composeNotice } from '../templates/compose-mail.ts';
import { fillTemplate, type MailTemplate, type ReaderLinks } from '../templates/mail-template.ts';
import { composeSheetRow, type SheetMessage } from './sheet.ts';

export type SheetKind = 'sheet-row' | 'sheet-unsubscribe' | 'sheet-erasure';
export type MailKind = Exclude<DeliveryKind, SheetKind>;

/** Composes each kind of mail; who gets it and when is in src/store/delivery-kinds.ts. */
export const COMPOSERS: { [K in MailKind]: Composer<K> } = {
  welcome: async (_, { subscriberId, queuedAt }, { findText, makeLinks }) =>
    composeForReader(await findText('welcome', queuedAt), makeLinks(subscriberId)),
  confirmation: async ({ queuedAt: linkFrom }, { subscriberId, queuedAt }, { findText, makeLinks }) =>
    composeForReader(await findText('confirmation', queuedAt), makeLinks(subscriberId, linkFrom)),
  update: async ({ update }, { subscriberId }, { findUpdate, makeLinks }) => {
    const { template, bulk } = await findUpdate(update);
    return { ...composeForReader(template, makeLinks(subscriberId)), bulk };
  },
  notice: composeNotice,
  alert: (alert) => alert,
  summary: (summary) => summary,
  'unsubscribe-notice': composeLeavingNotice,
};

/** Composes each kind of message to the sheet; `time` is when it was queued, as the person signed up or left. */
export const SHEET_COMPOSERS: {
  [K in SheetKind]: (details: DeliveryDetails[K], delivery: { id: string; time: string }) => SheetMessage;
} = {
  'sheet-row': composeSheetRow,
  'sheet-unsubscribe': ({ rows }, delivery) => ({ ...delivery, unsubscribe: rows }),
  'sheet-erasure': ({ rows }, delivery) => ({ ...delivery, erase: rows }),
};

/** Everything a mail is composed from, beside its details and its delivery. */
export type MailContext = {
  /** Finds the text of a mail that answers a sign-up, as it was when it was queued (an ISO time). */
  findText: (kind: 'welcome' | 'confirmation', queuedAt: string) => Promise<MailTemplate>;
  /** Finds the text of an update, and the headers by which mail programs know it. */
  findUpdate: (id: string) => Promise<{ template: MailTemplate; bulk: BulkHeaders }>;
  /** The addresses that a subscriber's mails lead to; `queuedAt` is that of a confirmation. */
  makeLinks: (subscriberId: string, queuedAt?: string) => ReaderLinks;
};

/** @param delivery.subscriberId empty for a mail that is about nobody */
export type Composer<K extends MailKind = MailKind> = (
  details: DeliveryDetails[K],
  delivery: { subscriberId: string; queuedAt: string },
  context: MailContext,
) => ComposedMail | Promise<ComposedMail>;

function composeForReader(template: MailTemplate, links: ReaderLinks): ComposedMail {
  return { ...fillTemplate(template, links), unsubscribeUrl: links.unsubscribe };
}
