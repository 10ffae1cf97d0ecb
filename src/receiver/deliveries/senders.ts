import { mailAddress } from '../address.ts';
import type { ClaimedDelivery } from './claim.ts';
import { DeliveryFailure } from './delivery-failure.ts';
import { DELIVERY_KINDS, type MailContext } from './kinds.ts';
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
    const rules = DELIVERY_KINDS[delivery.kind];
    if (rules.worker !== 'mail') throw sentByAnotherWorker(delivery);
    const details = JSON.parse(delivery.details);
    if (rules.recipient === 'agency') {
      const to = notifyTo ?? (delivery.kind === 'alert' ? ownersAddress : undefined);
      if (to === undefined) throw new DeliveryFailure('NOTIFY_TO is not set');
      return transport.send(delivery.id, to, await rules.compose(details));
    }
    const { subscriber } = delivery;
    if (subscriber === undefined) throw new DeliveryFailure('the person is no longer known', true);
    const mail = await rules.compose(details, subscriber, context);
    return transport.send(delivery.id, mailAddress(subscriber.address) ?? subscriber.normalised_address, mail);
  };
}

/** Sends messages to the sheet's script, each made as its kind says. */
export function sheetSender(sheetUrl: string): Send {
  return async (delivery) => {
    const rules = DELIVERY_KINDS[delivery.kind];
    if (rules.worker !== 'sheet') throw sentByAnotherWorker(delivery);
    const { id, queued_at, details } = delivery;
    await sendToSheet(sheetUrl, rules.message({ id, time: queued_at }, JSON.parse(details)));
  };
}

function sentByAnotherWorker({ kind }: ClaimedDelivery): DeliveryFailure {
  return new DeliveryFailure(`internal: another worker sends ${kind}`, true);
}
