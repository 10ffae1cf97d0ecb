import { mailAddress } from '#list/address.ts';
import type { Store } from '#store/open-store.ts';
import type { Begun } from './begin-delivery.ts';
import { type Composer, COMPOSERS, type MailContext } from './compose.ts';
import { DeliveryFailure } from './delivery-failure.ts';
import { readMessageHost } from './message-host.ts';
import type { MailTransport } from './mail-transport.ts';
import { sendToSheet } from './sheet.ts';
import type { OpenSender } from './worker.ts';

/**
 * Sends mails, each composed as its kind says.
 * @param options.notifyTo NOTIFY_TO
 * @param options.ownersAddress where alerts go without NOTIFY_TO
 */
export async function mailSender(options: {
  store: Store;
  transport: MailTransport;
  context: MailContext;
  notifyTo: string | undefined;
  ownersAddress: string;
}): Promise<OpenSender> {
  const { store, transport, context, notifyTo, ownersAddress } = options;
  const host = await readMessageHost(store, ownersAddress);
  return () => {
    const connection = transport.connect();
    return {
      close: connection.close,
      send: async (begun, signal) => {
        const to = findRecipient(begun, notifyTo, ownersAddress);
        await connection.send({ id: begun.delivery.id, host, to, mail: await compose(begun, context) }, signal);
      },
    };
  };
}

function findRecipient({ delivery, subscriber }: Begun, notifyTo: string | undefined, ownersAddress: string): string {
  if (COMPOSERS[delivery.kind].forSubscriber) {
    if (subscriber === undefined) throw new DeliveryFailure('the person is no longer known');
    return mailAddress(subscriber.address) ?? subscriber.normalised_address;
  }
  const to = notifyTo ?? (delivery.kind === 'alert' ? ownersAddress : undefined);
  if (to === undefined) throw new DeliveryFailure('NOTIFY_TO is not set');
  return to;
}

async function compose({ delivery, subscriber }: Begun, context: MailContext) {
  const composer = COMPOSERS[delivery.kind] as Composer;
  const details = JSON.parse(delivery.details);
  if (composer.forSubscriber && subscriber) {
    return composer.forSubscriber(details, { subscriber, queuedAt: delivery.queued_at }, context);
  }
  if (composer.forAgency) return composer.forAgency(details);
  throw new DeliveryFailure(`internal: another worker sends ${delivery.kind}`);
}

/** Sends messages to the sheet's script, each made as its kind says. */
export function sheetSender(sheetUrl: string): OpenSender {
  return () => ({
    close: () => undefined,
    send: async ({ delivery }) => {
      const composer = COMPOSERS[delivery.kind] as Composer;
      if (composer.forSheet === undefined) {
        throw new DeliveryFailure(`internal: another worker sends ${delivery.kind}`);
      }
      const { id, queued_at, details } = delivery;
      await sendToSheet(sheetUrl, composer.forSheet({ id, time: queued_at }, JSON.parse(details)));
    },
  });
}
