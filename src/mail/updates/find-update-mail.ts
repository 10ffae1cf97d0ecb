import type { Agency } from '#shared/agency-schema.ts';
import type { Environment } from '#shared/environment.ts';
import type { Store } from '#store/open-store.ts';
import type { BulkHeaders } from '../templates/compose-mail.ts';
import type { MailContext } from '../queue/compose.ts';

type MailboxSetting = Pick<Environment, 'BOUNCE_MAILBOX'>;

/** @returns finds an update by its id: its text as it was when it was queued, and its headers */
export function createUpdateFinder(store: Store, agency: Agency, env: MailboxSetting): MailContext['findUpdate'] {
  return async (id) => {
    const update = store.db.selectFrom('updates').select(['subject', 'html', 'text']).where('id', '=', id);
    return { template: await update.executeTakeFirstOrThrow(), bulk: makeBulkHeaders(agency, id, env) };
  };
}

/** The headers of an update's mails. */
export function makeBulkHeaders(agency: Agency, updateId: string, env: MailboxSetting): BulkHeaders {
  const domain = agency.email.slice(agency.email.indexOf('@') + 1);
  return {
    listId: `updates.${domain}`,
    feedbackId: `${updateId}:update:${domain}`,
    replyTo: agency.email,
    unsubscribeAddress: env.BOUNCE_MAILBOX && agency.email,
  };
}
