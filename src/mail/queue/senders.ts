import { mailAddress } from '#list/address.ts';
import { DELIVERY_KINDS } from '#store/delivery-kinds.ts';
import { keepMetadata } from '#store/metadata.ts';
import type { Store } from '#store/open-store.ts';
import type { Begun } from './begin-delivery.ts';
import {
  type Composer,
  COMPOSERS,
  type MailContext,
  type MailKind,
  SHEET_COMPOSERS,
  type SheetKind,
} from './compose.ts';
import { DeliveryFailure } from './delivery-failure.ts';
import type { MailTransport } from './mail-transport.ts';
import { sendToSheet, type SheetMessage } from './sheet.ts';
import type { OpenSender } from './worker.ts';

/**
 * Sends mails, each composed as its kind says. The host that ends every Message-ID is fixed when the first server starts,
 * so that a mail is called the same at each attempt, also where the agency's address changes.
 * @param options.notifyTo NOTIFY_TO
 * @param options.ownersAddress where alerts go without NOTIFY_TO
 */
export async function createMailSender(options: {
  store: Store;
  transport: MailTransport;
  context: MailContext;
  notifyTo: string | undefined;
  ownersAddress: string;
}): Promise<OpenSender> {
  const { store, transport, context, notifyTo, ownersAddress } = options;
  const ownersHost = ownersAddress.slice(ownersAddress.lastIndexOf('@') + 1);
  const host = await store.statement((db) => keepMetadata(db, 'message-id-host', ownersHost));
  return () => {
    const connection = transport.connect();
    return {
      close: connection.close,
      send: async (begun, signal) => {
        const { id, kind, details, subscriber_id, queued_at } = begun.delivery;
        const to = findRecipient(begun, notifyTo, ownersAddress);
        const compose = COMPOSERS[kind as MailKind] as Composer;
        const delivery = { subscriberId: subscriber_id ?? '', queuedAt: queued_at };
        await connection.send({ id, host, to, mail: await compose(JSON.parse(details), delivery, context) }, signal);
      },
    };
  };
}

function findRecipient({ delivery, subscriber }: Begun, notifyTo: string | undefined, ownersAddress: string): string {
  const rules = DELIVERY_KINDS[delivery.kind];
  if (rules.worker === 'mail' && rules.recipient === 'subscriber') {
    if (subscriber === undefined) throw new DeliveryFailure('the person is no longer known');
    return mailAddress(subscriber.address) ?? subscriber.normalised_address;
  }
  const to = notifyTo ?? (delivery.kind === 'alert' ? ownersAddress : undefined);
  if (to === undefined) throw new DeliveryFailure('NOTIFY_TO is not set');
  return to;
}

/** Sends messages to the sheet's script, each composed as its kind says. */
export function createSheetSender(sheetUrl: string): OpenSender {
  return () => ({
    close: () => undefined,
    send: async ({ delivery: { id, kind, queued_at, details } }) => {
      const compose = SHEET_COMPOSERS[kind as SheetKind] as (
        details: unknown,
        delivery: { id: string; time: string },
      ) => SheetMessage;
      await sendToSheet(sheetUrl, compose(JSON.parse(details), { id, time: queued_at }));
    },
  });
}
