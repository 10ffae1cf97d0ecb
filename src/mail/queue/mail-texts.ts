import { iso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { MailText } from '#store/schema.ts';
import type { MailTemplate } from '../templates/mail-template.ts';

/** Keeps what the mails that answer a sign-up say from now on, where that has changed. */
export async function recordMailTexts(
  store: Store,
  mails: Record<MailText['kind'], MailTemplate>,
  now: number,
): Promise<void> {
  for (const kind of ['welcome', 'confirmation'] as const) {
    const { subject, html, text } = mails[kind];
    await store.transaction(async (tx) => {
      const last = await tx
        .selectFrom('mail_texts')
        .selectAll()
        .where('kind', '=', kind)
        .orderBy('since', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (last?.subject === subject && last.html === html && last.text === text) return;
      await tx
        .insertInto('mail_texts')
        .values({ kind, since: iso(now), subject, html, text })
        .onConflict((conflict) => conflict.columns(['kind', 'since']).doUpdateSet({ subject, html, text }))
        .execute();
    });
  }
}

/**
 * Finds the text of such a mail as it was when it was queued.
 * @param queuedAt an ISO time; before the first text the first one holds
 */
export async function findMailText({ db }: Store, kind: MailText['kind'], queuedAt: string): Promise<MailTemplate> {
  const texts = () => db.selectFrom('mail_texts').select(['subject', 'html', 'text']).where('kind', '=', kind);
  const found = await texts().where('since', '<=', queuedAt).orderBy('since', 'desc').limit(1).executeTakeFirst();
  return found ?? texts().orderBy('since').limit(1).executeTakeFirstOrThrow();
}
