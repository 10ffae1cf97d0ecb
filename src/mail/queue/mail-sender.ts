import type { Environment } from '#shared/environment.ts';
import type { Agency } from '#shared/agency-schema.ts';
import { keepMetadata } from '#store/metadata.ts';
import type { DeliveryDetails } from '#store/new-delivery.ts';
import type { Store } from '#store/open-store.ts';
import type { Delivery, DeliveryKind } from '#store/schema.ts';
import { fillTemplate, type ReaderLinks } from '../templates/mail-template.ts';
import { composeNotice, composeUnsubscribeNotice } from '../templates/notices.ts';
import { DeliveryFailure } from './delivery-failure.ts';
import { type ComposedMail, writeMessage } from './mail-message.ts';
import { findMailText } from './mail-texts.ts';
import type { MailTransport } from './mail-transport.ts';
import type { SheetKind } from './sheet.ts';
import type { OpenSender } from './worker.ts';

/** Everything that mails are made from, besides their deliveries. */
type MailSources = {
  store: Store;
  agency: Agency;
  env: Pick<Environment, 'NOTIFY_TO' | 'BOUNCE_MAILBOX'>;
  /** The addresses that a subscriber's mails lead to; `queuedAt` is that of a confirmation. */
  makeLinks: (subscriberId: string, queuedAt?: string) => ReaderLinks;
};

/**
 * Sends mails, each composed as its kind says. The host that ends every Message-ID is fixed when the first server starts,
 * so that a mail is called the same at each attempt, also where the agency's address changes.
 */
export async function createMailSender(sources: MailSources, transport: MailTransport): Promise<OpenSender> {
  const { store, agency, env } = sources;
  const ownersHost = agency.email.slice(agency.email.lastIndexOf('@') + 1);
  const host = await store.transaction((tx) => keepMetadata(tx, 'message-id-host', ownersHost));
  const settings = { agency, readsMail: env.BOUNCE_MAILBOX !== undefined };
  return () => {
    const connection = transport.connect();
    return {
      close: connection.close,
      send: async (begun, signal) => {
        const { id, kind, details } = begun.delivery;
        const to = begun.to ?? findOwnersAddress(kind, sources);
        const compose = COMPOSERS[kind as MailKind] as Composer<MailKind>;
        const mail = await compose(JSON.parse(details), begun.delivery, sources);
        const bytes = await writeMessage(mail, { messageId: `${id}@${host}`, to }, settings);
        await connection.send({ id, to, bytes }, signal);
      },
    };
  };
}

/** Alerts reach an owner who has set nothing. */
function findOwnersAddress(kind: DeliveryKind, { env, agency }: MailSources): string {
  const to = env.NOTIFY_TO ?? (kind === 'alert' ? agency.email : undefined);
  if (to === undefined) throw new DeliveryFailure('NOTIFY_TO is not set');
  return to;
}

type MailKind = Exclude<DeliveryKind, SheetKind>;

type Composer<K extends MailKind> = (
  details: DeliveryDetails[K],
  delivery: Delivery,
  sources: MailSources,
) => ComposedMail | Promise<ComposedMail>;

/** Composes each kind of mail; who gets it and when is in src/store/delivery-kinds.ts. */
const COMPOSERS: { [K in MailKind]: Composer<K> } = {
  welcome: (_, delivery, sources) => composeForReader(delivery, sources),
  confirmation: ({ queuedAt }, delivery, sources) => composeForReader(delivery, sources, queuedAt),
  update: (_, delivery, sources) => composeForReader(delivery, sources),
  notice: composeNotice,
  alert: (alert) => alert,
  summary: (summary) => summary,
  'unsubscribe-notice': composeUnsubscribeNotice,
};

async function composeForReader(
  delivery: Delivery,
  { store, makeLinks }: MailSources,
  confirmationQueuedAt?: string,
): Promise<ComposedMail> {
  const links = makeLinks(delivery.subscriber_id ?? '', confirmationQueuedAt);
  const text = fillTemplate(await findMailText(store, delivery), links);
  return { ...text, unsubscribeUrl: links.unsubscribe, updateId: delivery.update_id };
}
