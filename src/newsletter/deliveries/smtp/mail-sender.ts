import type { Environment } from '#settings/environment.ts';
import type { Agency } from '#content/schemas/agency-schema.ts';
import type { DeliveryDetails } from '../queue/new-delivery.ts';
import type { Store } from '../../database/open-store.ts';
import type { Delivery, DeliveryKind } from '../../database/schema.ts';
import { fillTemplate, type MailTemplate, type ReaderLinks } from '../../mails/mail-template.ts';
import { composeNotice, composeUnsubscribeNotice } from '../../mails/notices.ts';
import type { ClaimedDelivery } from '../queue/claim-delivery.ts';
import { DeliveryFailure } from '../delivery-failure.ts';
import { type ComposedMail, findMailboxEmail, writeMessage } from './mail-message.ts';
import type { MailTransport } from './mail-transport.ts';
import type { SheetKind } from '../sheet.ts';
import type { OpenSender } from '../worker.ts';

/** Everything that emails are made from, besides their deliveries. The content may change while the server runs. */
type MailSources = {
  store: Store;
  agency: Agency;
  env: Pick<Environment, 'NOTIFY_TO' | 'BOUNCE_MAILBOX'>;
  signUpMails: Record<'welcome' | 'confirmation' | 'renewal' | 'newAddress', MailTemplate>;
  /** Makes the links in a subscriber's emails; `queuedAt` is when an email that asks for a confirmation was queued. */
  makeLinks: (mailboxHash: string, queuedAt?: string) => ReaderLinks;
};

/** Composes each email according to its kind, and sends it. */
export function createMailSender(sources: MailSources, transport: MailTransport): OpenSender {
  const unsubscribeTo = findMailboxEmail(sources.env.BOUNCE_MAILBOX);
  return () => {
    const connection = transport.connect();
    return {
      close: connection.close,
      send: async (claimed, signal) => {
        const { id, kind, details } = claimed.delivery;
        const to = claimed.to ?? findOwnersEmail(kind, sources);
        const compose = COMPOSERS[kind as MailKind] as Composer<MailKind>;
        const mail = await compose(JSON.parse(details), claimed, sources);
        const bytes = await writeMessage(mail, { id, to }, { agency: sources.agency, unsubscribeTo });
        await connection.send({ id, to, bytes }, signal);
      },
    };
  };
}

/** Without NOTIFY_TO an alert goes to the agency's address. */
function findOwnersEmail(kind: DeliveryKind, { env, agency }: MailSources): string {
  const to = env.NOTIFY_TO ?? (kind === 'alert' ? agency.email : undefined);
  if (to === undefined) throw new DeliveryFailure('NOTIFY_TO is not set');
  return to;
}

type MailKind = Exclude<DeliveryKind, SheetKind>;

type Composer<K extends MailKind> = (
  details: DeliveryDetails[K],
  claimed: ClaimedDelivery,
  sources: MailSources,
) => ComposedMail | Promise<ComposedMail>;

/** Composes each kind of email; delivery-kinds.ts says who gets it and when. */
const COMPOSERS: { [K in MailKind]: Composer<K> } = {
  welcome: (_, claimed, sources) => composeForReader(sources.signUpMails.welcome, claimed, sources),
  confirmation: ({ queuedAt }, claimed, sources) =>
    composeForReader(sources.signUpMails.confirmation, claimed, sources, queuedAt),
  'new-address': ({ queuedAt }, claimed, sources) =>
    composeForReader(sources.signUpMails.newAddress, claimed, sources, queuedAt),
  renewal: (_, claimed, sources) => composeForReader(sources.signUpMails.renewal, claimed, sources),
  update: async (_, claimed, sources) =>
    composeForReader(await readUpdate(sources.store, claimed.delivery), claimed, sources),
  notice: composeNotice,
  alert: (alert) => alert,
  summary: (summary) => summary,
  'unsubscribe-notice': composeUnsubscribeNotice,
};

function composeForReader(
  template: MailTemplate,
  { delivery, mailboxHash }: ClaimedDelivery,
  { makeLinks }: MailSources,
  confirmationQueuedAt?: string,
): ComposedMail {
  const links = makeLinks(mailboxHash ?? '', confirmationQueuedAt);
  return { ...fillTemplate(template, links), unsubscribeUrl: links.unsubscribe, updateId: delivery.update_id };
}

/** Reads an update as of when it was queued: its file may have changed since. */
function readUpdate({ db }: Store, { update_id }: Delivery): Promise<MailTemplate> {
  return db
    .selectFrom('updates')
    .select(['subject', 'html', 'text'])
    .where('id', '=', update_id)
    .executeTakeFirstOrThrow();
}
