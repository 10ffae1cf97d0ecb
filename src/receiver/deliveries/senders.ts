import type { Content } from '#shared/content-schema.ts';
import type { TokenPurpose } from '../subscriptions/tokens.ts';
import { type ComposedMail, composeMail, composeNotice } from './compose-mail.ts';
import { DeliveryFailure } from './delivery-failure.ts';
import type { MailTransport } from './mail-transport.ts';
import type { ClaimedDelivery } from './claim.ts';
import type { Send } from './run-deliveries.ts';
import { sendToSheet, sheetMessage } from './sheet.ts';

/**
 * Sends mails as they were queued.
 * @param options.linkFor the address of a person's page to confirm or unsubscribe
 * @param options.notifyTo the agency's address for notices
 */
export function mailSender(options: {
  transport: MailTransport;
  content: Pick<Content, 'agency' | 'mail'>;
  linkFor: (purpose: TokenPurpose, subscriberId: string) => string;
  notifyTo: string | undefined;
}): Send {
  const { transport, content, linkFor, notifyTo } = options;
  return async (delivery) => {
    const { to, mail } = addressed(delivery);
    await transport.send(delivery.id, to, mail);
  };

  function addressed({ kind, details, subscriber }: ClaimedDelivery): { to: string; mail: ComposedMail } {
    if (kind === 'notice') {
      if (notifyTo === undefined) throw new DeliveryFailure('NOTIFY_TO is not set');
      return { to: notifyTo, mail: composeNotice(JSON.parse(details)) };
    }
    if (subscriber === undefined) throw new DeliveryFailure('the person is no longer known', true);
    const { agency, mail } = content;
    const unsubscribe = linkFor('unsubscribe', subscriber.id);
    const composed =
      kind === 'confirmation'
        ? composeMail(mail.confirmation, agency, { button: linkFor('confirm', subscriber.id), unsubscribe })
        : composeMail(mail.welcome, agency, { button: agency.calendar, unsubscribe });
    return { to: subscriber.normalised_address, mail: composed };
  }
}

/** Sends rows and erasures to the sheet's script. */
export function sheetSender(sheetUrl: string): Send {
  return ({ id, queued_at, details }) =>
    sendToSheet(sheetUrl, sheetMessage({ id, time: queued_at }, JSON.parse(details)));
}
