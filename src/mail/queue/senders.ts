import { mailAddress } from '#list/address.ts';
import type { ClaimedDelivery } from './claim.ts';
import { DeliveryFailure } from './delivery-failure.ts';
import { type Composer, COMPOSERS, type MailContext } from './compose.ts';
import type { MailTransport } from './mail-transport.ts';
import type { Send } from './run-deliveries.ts';
import { sendToSheet } from './sheet.ts';

/**
 * Sends mails, each composed as its kind says.
 * @param options.notifyTo NOTIFY_TO
 * @param options.ownersAddress where alerts go without NOTIFY_TO
 */
export function mailSender(options: {
  transport: MailTransport;
  context: MailContext;
  notifyTo: string | undefined;
  ownersAddress: string;
}): Send {
  const { transport, context, notifyTo, ownersAddress } = options;
  return async (delivery) => {
    const composer = COMPOSERS[delivery.kind] as Composer;
    const details = JSON.parse(delivery.details);
    if (composer.forAgency) {
      const to = notifyTo ?? (delivery.kind === 'alert' ? ownersAddress : undefined);
      if (to === undefined) throw new DeliveryFailure('NOTIFY_TO is not set');
      return transport.send(delivery.id, to, await composer.forAgency(details));
    }
    if (composer.forSubscriber === undefined) throw sentByAnotherWorker(delivery);
    const { subscriber } = delivery;
    if (subscriber === undefined) throw new DeliveryFailure('the person is no longer known', true);
    const mail = await composer.forSubscriber(details, subscriber, context);
    return transport.send(delivery.id, mailAddress(subscriber.address) ?? subscriber.normalised_address, mail);
  };
}

/** Sends messages to the sheet's script, each made as its kind says. */
export function sheetSender(sheetUrl: string): Send {
  return async (delivery) => {
    const composer = COMPOSERS[delivery.kind] as Composer;
    if (composer.forSheet === undefined) throw sentByAnotherWorker(delivery);
    const { id, queued_at, details } = delivery;
    await sendToSheet(sheetUrl, composer.forSheet({ id, time: queued_at }, JSON.parse(details)));
  };
}

function sentByAnotherWorker({ kind }: ClaimedDelivery): DeliveryFailure {
  return new DeliveryFailure(`internal: another worker sends ${kind}`, true);
}
